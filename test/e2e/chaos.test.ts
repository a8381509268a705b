import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lost, unfinished, violations } from "./chaos/violations";
import { PanelProcess } from "./chaos/panel-process";
import { weather, type Log } from "./chaos/storm";
import { worldOf, type Intent, type Target } from "./chaos/world";
import { needs } from "./support/needs";
import { needsProcesses } from "./support/processes";
import { useScene } from "./support/scene";
import { long } from "../support/thorough";

const target: Target = { machineId: "1000", recoveryPointId: "1", kind: "machine" };
const intent: Intent = { name: "web", target };
const other: Intent = { name: "db", target: { ...target, machineId: "1001" } };

const posted = (transactionId: string, status: "running" | "complete" | "failed", from: number, of = target) => {
  const { machineId, recoveryPointId, kind } = of;
  const ended = status === "running" ? {} : { endedAt: from + 10 };
  return { machineId, recoveryPointId, kind, transactionId, status, requestedAt: from, ...ended };
};

const stored = (name: string, outputs: Record<string, unknown>) => {
  const type = "pulumi-nodejs:recovery:VmRestore";
  return { urn: `urn:pulumi:test::e2e::${type}::${name}`, type, outputs };
};

const inPlan: Intent = { name: "shop-web", target, planned: { wave: 0, step: "web" } };
const verdict = (outputs: Record<string, unknown>) => {
  const type = "pulumi-nodejs:recovery:Verdict";
  return { urn: `urn:pulumi:test::e2e::${type}::shop-verdict`, type, outputs };
};

/** The judge of a storm: a storm that it lets through has to be a good one. */
describe("held against the panel's ledger", () => {
  const complete = stored("web", { status: "complete", transactionId: "7" });

  it("a restore that was posted once, and is what its state says, is well", () => {
    assert.deepEqual(violations([intent], [posted("7", "complete", 0)], [complete]), []);
    assert.deepEqual(unfinished([intent], [posted("7", "complete", 0)], [complete]), []);
    assert.deepEqual(lost([intent], [posted("7", "complete", 0)], [complete]), []);
  });

  it("one that had failed before the next was posted is well too", () => {
    assert.deepEqual(violations([intent], [posted("6", "failed", 0), posted("7", "complete", 11)], [complete]), []);
  });

  const cases: readonly [what: string, found: string[], line: RegExp][] = [
    [
      "a second restore after a good one",
      violations([intent], [posted("6", "complete", 0), posted("7", "complete", 20)], [complete]),
      /web was posted again \(7\) after 6, which is complete/,
    ],
    [
      "a second restore beside one that fails later",
      violations([intent], [posted("6", "failed", 0), posted("7", "complete", 5)], [complete]),
      /web was posted again \(7\)/,
    ],
    [
      "a failed restore called complete",
      violations([intent], [posted("7", "failed", 0)], [complete]),
      /complete in the state, and failed/,
    ],
    [
      "a running restore called complete",
      violations([intent], [posted("7", "running", 0)], [complete]),
      /complete in the state, and running/,
    ],
    [
      "a complete restore without a transaction",
      violations([intent], [], [stored("web", { status: "complete" })]),
      /which is no restore/,
    ],
    [
      "another machine's transaction",
      violations([intent, other], [posted("7", "complete", 0, other.target)], [complete]),
      /web has taken transaction 7, which is another's/,
    ],
    [
      "a restore of what nobody asked for",
      violations([intent], [posted("8", "complete", 0, other.target)], []),
      /transaction 8 restores what nobody asked for/,
    ],
    [
      "a duration that is not the panel's",
      violations([intent], [posted("7", "complete", 0)], [stored("web", { ...complete.outputs, durationSeconds: 60 })]),
      /web took 60 s in the state, and 0\.01 s by the ledger/,
    ],
    [
      "a verdict that passes a failed restore",
      violations([inPlan], [posted("7", "failed", 0)], [verdict({ verdict: "passed with warnings" })]),
      /the verdict is passed with warnings, and shop-web is not complete by the ledger/,
    ],
    [
      "an intent that was left out",
      unfinished([intent], [], []),
      /web is undefined in the state\nweb was restored 0 times/,
    ],
  ];

  for (const [what, found, line] of cases) it(`${what} is told`, () => assert.match(found.join("\n"), line));

  it("of one that is being replaced, the new one counts", () => {
    const old = { ...stored("web", { status: "failed", transactionId: "6" }), delete: true };
    const ledger = [posted("6", "failed", 0), posted("7", "complete", 11)];
    for (const both of [
      [complete, old],
      [old, complete],
    ])
      assert.deepEqual(unfinished([intent], ledger, both), []);
  });

  it("a request that was lost is told from one that is only not known of yet", () => {
    const unknown = stored("web", { status: "sent" });
    assert.deepEqual(lost([intent], [], [unknown]), [intent]);
    assert.deepEqual(lost([intent], [posted("7", "running", 0)], [unknown]), []);
    assert.deepEqual(lost([intent], [posted("7", "complete", 0)], [unknown]), []);
  });
});

describe("a storm", () => {
  it("has two hundred restores, no two of them the same, in plans, alone and in YAML", () => {
    for (const seed of [1, 20]) {
      const { tasks } = worldOf(seed);
      const intents = tasks.flatMap((task) => task.intents);
      const meant = new Set(
        intents.map(({ target: { machineId, recoveryPointId, kind } }) => [machineId, recoveryPointId, kind].join()),
      );
      assert.equal(meant.size, 200);
      assert.equal(intents.filter(({ planned }) => planned !== undefined).length, 90);
      assert.deepEqual(new Set(tasks.map(({ door }) => door)), new Set(["program", "yaml"]));
    }
  });

  it("has a panel that loses its power, and comes back on the same port with what it had written down", async () => {
    const folder = mkdtempSync(join(tmpdir(), "recovery-storm-"));
    const panel = await PanelProcess.start(folder, { machines: [{ id: "1000", recoveryPoints: [1] }] }, 1);
    try {
      const { url, username, password } = panel;
      const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
      const address = `${url}/virtual_machines/1000/backups/recovery_points/1/restore.json`;
      assert.ok((await fetch(address, { method: "POST", headers: { authorization } })).ok);
      await panel.restart(0);
      assert.equal(panel.url, url);
      assert.deepEqual(
        (await panel.restores()).map(({ machineId }) => machineId),
        ["1000"],
      );
    } finally {
      await panel.stop();
      rmSync(folder, { recursive: true });
    }
  });
});

long.describe(
  "two hundred restores on a panel in bad shape, with runs killed at random: each machine restored once",
  () => {
    const scene = useScene();

    needsProcesses();
    needs("yaml-host");

    for (let seed = 1; seed <= 10; seed++) {
      it(`seed ${String(seed)}`, async function () {
        this.timeout(30 * 60_000);
        const log: Log = { lives: [], kills: 0, restarts: 0, askedAnew: 0 };
        const gone = (): string =>
          `seed ${String(seed)}: ${log.lives.join("; ")}; ${String(log.restarts)} restarts of the panel, ${String(log.askedAnew)} asked anew`;
        try {
          await weather(scene.folder, seed, log);
          assert.ok(log.kills >= 2 && log.restarts >= 1, "that was no storm");
        } catch (error) {
          throw new Error(`${gone()}\n${(error as Error).message}`, { cause: error });
        }
      });
    }
  },
);
