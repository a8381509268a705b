import assert from "node:assert/strict";
import * as recovery from "pulumi-recovery";
import { startSandbox } from "../../../sandbox";
import { inline } from "./inline";
import type { Sandbox } from "./scene";

/** Posted and not waited for, so that a refresh has to ask the panel. */
export const posted = inline(() => ({
  status: new recovery.VmRestore("web", { virtualMachineId: 42, recoveryPointId: 1007, wait: false }).status,
}));

/** The same panel at the same address, from now on with another password. */
export async function rotate(panel: Sandbox, password: string, stateFile: string): Promise<Sandbox> {
  await panel.stop();
  return startSandbox({ port: Number(new URL(panel.url).port), password, stateFile, speed: 20 });
}

export function onlyReads(panel: Sandbox): void {
  const answers = panel.requests().map((one) => `${one.method} ${String(one.status)}`);
  assert.deepEqual([...new Set(answers)], ["GET 200"]);
  assert.equal(panel.restores().length, 1);
}
