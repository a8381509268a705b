import assert from "node:assert/strict";
import type { RecoveryPlanArgs } from "pulumi-recovery";
import { declarePlan, planned, planTimeouts as timeouts, reported } from "./support/plans";
import { posts } from "./support/posts";
import { useService } from "./support/service";
import { needsProcesses } from "./support/processes";
import { useScene, type Sandbox, type SandboxOptions } from "./support/scene";
import type { TestStack } from "./support/stack";
import { waitUntil } from "./support/wait-until";

type Restores = RecoveryPlanArgs["waves"][number]["restores"];
type Restore = Partial<Restores[string]>;

const of = (virtualMachineId: number, more: Restore = {}) =>
  ({ virtualMachineId, recoveryPointId: 1009, timeouts, ...more }) as Restores[string];
const db = of(42);
const web = of(43);

/** The two waves of the run that is edited. */
const shop = (data: Restores, front: Restores = {}, more: Partial<RecoveryPlanArgs> = {}): RecoveryPlanArgs => ({
  run: "Q1",
  waves: [
    { name: "data", restores: data },
    { name: "front", restores: front },
  ],
  ...more,
});

/** What is expected of an edited plan. */
interface Expected {
  /** The preview's lines about the edit. If absent, no preview runs. */
  readonly preview?: RegExp;
  /** The added restores as `machine from point`, or `refused` if the preview rejects the edit and nothing is carried out. */
  readonly sent: readonly string[] | "refused";
  /** Absent if nothing is stored for the run, so that nothing is judged. */
  readonly verdict?: "passed" | "passed with warnings" | "failed" | "incomplete";
  /** The output of `up`, and the reasons of the verdict. */
  readonly says?: readonly RegExp[];
}

/** A stack and its panel on the night when something goes wrong. */
class Night {
  private constructor(
    readonly panel: Sandbox,
    readonly stack: TestStack,
  ) {}

  static async begin(scene: Pick<ReturnType<typeof useScene>, "panel" | "stack">, options: SandboxOptions = {}) {
    const panel = await scene.panel({ speed: 50, ...options });
    return new Night(panel, await planned(scene, shop({ db })));
  }

  get sent(): readonly string[] {
    return this.panel.restores().map(({ machineId, recoveryPointId }) => `${machineId} from ${recoveryPointId}`);
  }

  async edit(plan: RecoveryPlanArgs, { preview, sent, verdict, says = [] }: Expected): Promise<void> {
    const { stack } = this;
    const before = this.sent;
    await stack.configure(declarePlan(plan));
    if (preview !== undefined) {
      const { stdout } = await (sent === "refused" ? stack.previewFails() : stack.preview());
      assert.match(stdout, preview);
    }
    if (sent !== "refused") {
      const isGood = verdict?.startsWith("passed") === true;
      const { stdout, outputs } = await (isGood ? stack.up() : stack.upFails());
      const judged = verdict && (await reported(stack));
      const said = [stdout, ...(judged?.reasons ?? [])].join("\n");
      assert.equal(judged?.result, verdict, said);
      if (isGood) assert.equal(outputs["verdict"]?.value, verdict);
      for (const one of says) assert.match(said, one);
    }
    assert.deepEqual(this.sent, [...before, ...(sent === "refused" ? [] : sent)]);
  }
}

describe("a plan that is edited in an emergency on the real engine", () => {
  const scene = useScene();
  let isWell = true;
  const service = useService((_, response) => response.writeHead(isWell ? 200 : 503).end());

  needsProcesses();

  const checked = (restore: Restores[string]): Restores[string] => ({
    ...restore,
    checks: [{ http: service.url, every: "1s", within: "1s" }],
  });

  it("restores the right point once the restore that a killed `up` sent from a wrong point has ended", async () => {
    const { panel, stack, edit } = await night({ speed: 1 });
    panel.failNext(42, { seconds: 6 });
    const run = await stack.start("up", {}, "ignored");
    await waitUntil(() => panel.acceptedPosts() === 1, 60_000, "the POST");
    run.killCli();
    await run.ended;
    await stack.cancel().catch(() => undefined);
    panel.failNext(42, { seconds: 1 });
    await edit(shop({ db: of(42, { recoveryPointId: 1007 }) }), {
      preview: /1 of 1 will be restored.*: db/,
      sent: ["42 from 1007"],
      verdict: "passed with warnings",
      says: [/db: stopped at .*: requested by an `up` that left no record, and changed since: it may have been sent/],
    });
  });

  it("restores an older point after a failed check", async () => {
    const { edit } = await night();
    isWell = false;
    await edit(shop({ db: checked(db) }, { web }), {
      sent: ["42 from 1009"],
      verdict: "failed",
      says: [/db: check http 127\.0\.0\.1 did not pass: the answer was 503/],
    });
    isWell = true;
    await edit(shop({ db: checked({ ...db, recoveryPointId: 1008 }) }, { web }), {
      preview:
        /1 of 1 will be restored again: db \(point changed\)\n +db: point changed: machine 42 from recovery point 1008/,
      sent: ["42 from 1008", "43 from 1009"],
      verdict: "passed with warnings",
      says: [/db: check http 127\.0\.0\.1 did not pass at [^;]*; was restored 2 times in this run/],
    });
  });

  it("restores only a machine that was forgotten and then added", async () => {
    const { edit } = await night();
    await edit(shop({ db }, { web }), { sent: ["42 from 1009", "43 from 1009"], verdict: "passed" });
    await edit(shop({ db, mail: of(44) }, { web }), {
      preview: /1 of 2 will be restored: mail \(new\)\n +mail: new: machine 44 from recovery point 1009/,
      sent: ["44 from 1009"],
      verdict: "passed with warnings",
      says: [/the plan was changed after it began: waves\.data\.mail \(\d\d:\d\d UTC\)/],
    });
  });

  it("can give up a machine and restore the others, but not pass", async () => {
    const { panel, edit } = await night();
    panel.failNext(42, "failed");
    await edit(shop({ db }, { web }), {
      sent: ["42 from 1009"],
      verdict: "failed",
      says: [/restore "db" \(machine 42, recovery point 1009\) failed: transaction \d+ ended as failed/],
    });
    await edit(shop({ db: { ...db, retryFailed: false } }, { web }, { onFailure: "continue" }), {
      preview:
        /1 of 1 left as it is: db\n +db: transaction \d+ failed, and retryFailed is false: new triggers restore again/,
      sent: ["43 from 1009"],
      verdict: "failed",
      says: [/db failed \(transaction \d+\)/],
    });
  });

  it("keeps a wrong machine that was already sent, and restores the right one that was added", async () => {
    const { panel, edit } = await night();
    panel.failNext(42, "failed");
    await edit(shop({ db }), { sent: ["42 from 1009"], verdict: "failed" });
    await edit(shop({ db: of(44) }), {
      preview:
        /db cannot restore machine 44 in this run: machine 42 was restored for it \(transaction \d+\)\. Change db back and add machine 44 under another name; to give up on db, set retryFailed: false \(it is not sent again\) and onFailure: "continue" \(the later waves start\)/,
      sent: "refused",
    });
    await edit(shop({ right: of(44) }), {
      preview: /db cannot be removed, renamed or moved in this run: machine 42 was restored for it/,
      sent: "refused",
    });
    await edit(shop({ db: { ...db, retryFailed: false }, right: of(44) }, { web }, { onFailure: "continue" }), {
      preview: /1 of 2 will be restored: right \(new\)[^]*1 of 2 left as it is: db/,
      sent: ["44 from 1009", "43 from 1009"],
      verdict: "failed",
    });
  });

  it("lets a machine move if it was added to the wrong wave and never sent", async () => {
    const { panel, edit } = await night();
    panel.failNext(42, "failed");
    await edit(shop({ db }, { web, mail: of(44) }), { sent: ["42 from 1009"], verdict: "failed" });
    const early = { ...of(44), triggers: ["never sent"] };
    await edit(shop({ db, mail: of(44) }, { web }), {
      preview:
        /mail cannot restore machine 44 in this wave: the later wave front may have restored it in this run\. Leave the machine in wave front; or, if nothing was sent to it, give mail new triggers/,
      sent: "refused",
    });
    await edit(shop({ db, mail: early }, { web }), {
      preview: /1 of 2 will be restored: mail \(new\)[^]*1 of 2 will be restored again: db \(failed\)/,
      sent: ["44 from 1009", "42 from 1009", "43 from 1009"],
      verdict: "passed with warnings",
    });
  });

  it("chooses an older point for a failed restore if the incident was earlier, and leaves complete restores alone", async () => {
    const { panel, edit } = await night();
    const data = { db: { virtualMachineId: 42, timeouts }, mail: { virtualMachineId: 44, timeouts } };
    panel.failNext(42, "failed");
    await edit(shop(data, {}, { recoveryPoint: "newest" }), {
      sent: ["42 from 1009", "44 from 1009"],
      verdict: "failed",
    });
    const incidentAt = new Date(Date.now() - 12 * 3_600_000).toISOString();
    await edit(shop(data, {}, { recoveryPoint: "newest", incidentAt }), {
      preview:
        /1 of 2 will be restored again: db \(incidentAt changed\)[^]*1 of 2 left as it is: mail \(complete: a changed rule or incidentAt sends nothing/,
      sent: ["42 from 1008"],
      verdict: "incomplete",
      says: [/mail was restored from a point taken at .*, after the incident at/],
    });
  });

  it("restores a machine under the same name after the panel refused its mistyped number", async () => {
    const { panel, edit } = await night();
    await edit(shop({ db, web: of(430) }, { mail: of(44) }), {
      sent: [],
      says: [/waves\.data\.web: the panel does not know machine 430/],
    });
    await edit(shop({ db, web: of(430) }, { mail: of(44) }, { lookUp: false }), {
      sent: ["42 from 1009"],
      verdict: "incomplete",
      says: [/restore "web" \(machine 430, recovery point 1009\) was refused by the panel/],
    });
    await edit(shop({ db, web }, { mail: of(44) }, { lookUp: false }), {
      preview: /1 of 2 will be restored.*: web/,
      sent: ["43 from 1009", "44 from 1009"],
      verdict: "passed with warnings",
    });
    assert.equal(posts(panel).length, 4);
  });

  async function night(options?: SandboxOptions) {
    const begun = await Night.begin(scene, options);
    const { panel, stack } = begun;
    return { panel, stack, edit: begun.edit.bind(begun) };
  }
});
