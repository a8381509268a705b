import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RecoveryPlanArgs } from "pulumi-recovery";
import { commands } from "../../cli/commands";
import type { ReadyResult } from "../../cli/ready/result";
import { run } from "../../cli/run";
import { declarePlan, planned } from "./support/plans";
import { useScene, type Sandbox } from "./support/scene";
import type { TestStack } from "./support/stack";
import { timeouts } from "./support/two-waves";

interface Form {
  readonly run: string;
  /** A word of the check's command, which is shown nowhere. */
  readonly word?: string;
  readonly goal?: string;
  readonly dbIn?: "data" | "front";
}

/** Two waves, with db in one of them. */
function plan({ run, word = "one", goal = "1h", dbIn = "data" }: Form): RecoveryPlanArgs {
  const command = [process.execPath, "-e", `"${word}"`];
  const db = { virtualMachineId: 43, recoveryPointId: 1008, timeouts, checks: [{ command }] };
  const web = { virtualMachineId: 42, recoveryPointId: 1007, timeouts };
  return {
    run,
    goals: { recoveryTime: goal },
    onFailure: "continue",
    waves: [
      { name: "data", restores: dbIn === "data" ? { db } : {} },
      { name: "front", restores: dbIn === "data" ? { web } : { web, db } },
    ],
  };
}

describe("the proof of a restore on the real engine", () => {
  const scene = useScene();

  it("stands over new runs, goals and another wave, and not over another word of a check's command", async () => {
    const panel = await scene.panel({ speed: 200 });
    const stack = await planned(scene, plan({ run: "first" }));
    await stack.up();
    assert.deepEqual(await proofOf(panel, stack), ["first", []]);

    panel.failNext(43, "failed");
    await stack.configure(declarePlan(plan({ run: "second", goal: "2h", dbIn: "front" })));
    await stack.upFails();
    assert.deepEqual(await proofOf(panel, stack), ["first", []]);

    panel.failNext(43, "failed");
    await stack.configure(declarePlan(plan({ run: "third", word: "another", dbIn: "front" })));
    await stack.upFails();
    assert.deepEqual(await proofOf(panel, stack), [undefined, ["restore.changed-since"]]);
  });

  async function proofOf(panel: Sandbox, stack: TestStack): Promise<readonly [string | undefined, readonly string[]]> {
    const state = join(scene.folder, "state.json");
    writeFileSync(state, JSON.stringify(await stack.exportState()));
    const said: string[] = [];
    const warned: string[] = [];
    const environment = {
      RECOVERY_ENDPOINT: panel.url,
      RECOVERY_USERNAME: panel.username,
      RECOVERY_PASSWORD: panel.password,
      PATH: "/nowhere",
    };
    const io = {
      say: (line: string): void => void said.push(line),
      warn: (line: string): void => void warned.push(line),
      environment,
      stdin: () => Promise.resolve(""),
    };
    await run(["ready", "--state", state, "--proven-within", "90d", "--json"], io, commands);
    assert.notEqual(said.length, 0, warned.join("\n"));
    const { restores } = JSON.parse(said.join("\n")) as ReadyResult;
    const db = restores.find(({ name }) => name === "db");
    const codes = db?.findings.map(({ code }) => code).filter((code) => /proven|proof|changed/.test(code)) ?? [];
    return [db?.provenIn, codes];
  }
});
