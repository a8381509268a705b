import assert from "node:assert/strict";
import { join } from "node:path";
import { startSandbox } from "../../../sandbox";
import { posts } from "../support/posts";
import { isAlive } from "../support/processes";
import type { Spec } from "../support/restores";
import type { Sandbox, Scene } from "../support/scene";
import { waitUntil } from "../support/wait-until";
import { programs, type Language } from "./languages";
import { killers, letGoOn, type KillerName } from "./killers";
import { moments, type Moment, type MomentName } from "./moments";

export interface Case {
  readonly kind: "VmRestore" | "FileRestore" | "both";
  readonly restores: 1 | 10;
  readonly moment: MomentName;
  readonly killer: KillerName | "power loss of the panel";
  /** @default "TypeScript" */
  readonly language?: Language;
}

export function nameOf({ kind, restores: count, moment, killer, language }: Case): string {
  const what = count === 1 ? `one ${kind}` : `ten ${kind === "both" ? "restores of both kinds" : `${kind}s`}`;
  return `${killer} ${moment} (${what}${language === undefined ? "" : ` in ${language}`})`;
}

const config = { "recovery:requestTimeout": "5s" };
/** Long enough to kill a run during its restores, and short enough to wait for. */
const restoreSeconds = 6;

function specs({ kind, restores: count }: Case): readonly Spec[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `restore-${String(index)}`,
    kind: kind === "both" ? (index % 2 === 0 ? "VmRestore" : "FileRestore") : kind,
    args: { virtualMachineId: 42 + index, timeouts: { listed: "8s" } },
  }));
}

/** Kills a run at the case's moment. After one more `up`, each declared restore must have exactly one POST, and must be complete. */
export async function killAndGoOn(scene: Pick<Scene, "panel" | "stack" | "folder">, one: Case): Promise<void> {
  const moment: Moment = moments[one.moment];
  const stateFile = join(scene.folder, "panel.json");
  const losesPower = one.killer === "power loss of the panel";
  const panel = await scene.panel({ ...((losesPower && moment.panelLosingPower) || moment.panel), stateFile });
  prepare(panel, one);
  const program = await programs[one.language ?? "TypeScript"](scene, panel, specs(one), config);

  const run = program.start();
  await moment.reached(panel, run);
  if (one.killer === "power loss of the panel") {
    // If the panel loses a restore in a power failure, the restore stays unconfirmed, and the operator must decide what to do.
    const allAreThere = moment.panelLosingPower === undefined ? noneOrAllAnswered : allArrived;
    await waitUntil(() => allAreThere(panel, one), 60_000, "the answer to every POST on its way");
    const again = await loseThePower(panel, stateFile);
    letGoOn(run);
    try {
      const survived = await run.ended;
      const { error, stdout } = survived.error === undefined ? survived : await program.start().ended;
      assert.equal(error, undefined, stdout);
      check(again, one, await program.outputs());
    } finally {
      await again.stop();
    }
    return;
  }

  const pids = run.processes().flatMap(({ kind, pid }) => (kind === "provider" ? [pid] : []));
  const areGone = () =>
    waitUntil(() => !pids.some(isAlive), 30_000, "the provider process of the killed run to be gone");
  await killers[one.killer](run);
  letGoOn(run);
  await run.ended;
  if (moment.isBeforePost && one.killer === "kill -9 of the CLI") {
    await areGone();
    assert.deepEqual(posts(panel), [], "an orphaned provider process posts nothing");
  }
  await program.cancel().catch(() => undefined); // Not every kill leaves the stack locked.
  panel.setFaults({ get: {}, post: {} });
  const { error, stdout } = await program.start().ended;
  assert.equal(error, undefined, stdout);
  check(panel, one, await program.outputs());
  await areGone();
}

function prepare(panel: Sandbox, one: Case): void {
  for (let id = 42; id < 42 + one.restores; id++) {
    if (!panel.machines().some((machine) => machine.id === String(id))) {
      panel.addMachine({ id, recoveryPoints: [1007] });
    }
    panel.failNext(id, { seconds: restoreSeconds });
  }
  if (one.moment === "while queued") {
    panel.addMachine({ id: 900, recoveryPoints: [1] });
    panel.addTransaction({ machineId: 900, action: "take_backup", seconds: 10 });
  }
}

/** False from the first POST until the last response, because in between, some POSTs may not have reached the panel. */
function noneOrAllAnswered(panel: Sandbox, { restores }: Case): boolean {
  const sent = posts(panel);
  return sent.length === 0 || (sent.length === restores && sent.every(({ status }) => status !== undefined));
}

function allArrived(panel: Sandbox, { restores }: Case): boolean {
  return panel.restores().length === restores;
}

/** The panel disappears with all its connections, and comes back at the same address with only what it had saved. */
async function loseThePower(panel: Sandbox, stateFile: string): Promise<Sandbox> {
  const { port } = new URL(panel.url);
  await panel.stop();
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  return startSandbox({ port: Number(port), stateFile });
}

function check(panel: Sandbox, one: Case, outputs: Readonly<Record<string, unknown>>): void {
  const [statuses, transactions] = [outputs["statuses"], outputs["transactions"]] as [string[], string[]];
  const posted = panel.restores();
  assert.deepEqual(
    posted.map(({ machineId }) => machineId).sort(),
    Array.from({ length: one.restores }, (_, index) => String(42 + index)),
    "exactly one restore of each machine",
  );
  assert.deepEqual(new Set(posted.map(({ status }) => status)), new Set(["complete"]));
  assert.deepEqual(new Set(statuses), new Set(["complete"]));
  assert.deepEqual(transactions.sort(), posted.map(({ transactionId }) => transactionId).sort());
}
