import assert from "node:assert/strict";
import type { ProviderProcess } from "../../provider/engine/process";
import { intentOperations } from "../../provider/engine/restore-intents";
import type { PointChoice } from "../../provider/inputs/intent";
import { unknownString } from "../../provider/inputs/read-values";
import { PointLists } from "../../provider/points/choose-from-panel";
import { Claims } from "../../provider/restore/panel-session";
import type { VirtualClock } from "../support/virtual-clock";
import { type Fate, goodFate, type Manners, type PanelAtWork } from "../restore/support/panel-at-work";
import { sessionOn } from "../restore/support/process";
import { type Declared, stackOn } from "./support/model-stack";

const second = 1_000;
const hour = 3_600 * second;

const web: Declared = { name: "web", kind: "VmRestore", args: { virtualMachineId: "42", recoveryPoint: "newest" } };
const failing: Fate = { ...goodFate, outcome: "failed" };
const refused: Fate = { ...goodFate, answer: "refused", carriedOut: false };

function scene(program: readonly Declared[] = [web], fates: readonly Fate[] = [], manners: Partial<Manners> = {}) {
  const it = stackOn(program, { fates, ...manners });
  const { clock, panel } = it;
  const point = (id: string, ageMs: number, state = "built") => ({
    id,
    state,
    created_at: new Date(clock.now() - ageMs).toISOString(),
  });
  panel.points = [point("1007", 2 * hour), point("1008", hour)];
  /** A backup that is made now. */
  const back = (id: string, state?: string): void => {
    panel.points = [...panel.points, point(id, 0, state)];
  };
  const posted = () => panel.posts.map(({ order }) => order.point);
  return { ...it, back, posted };
}

describe("a recovery point that a rule chooses", () => {
  it("is stored with the intent, and is what is posted and put out", async () => {
    const { clock, stack, posted } = scene();
    const takenAt = clock.now() - hour;
    assert.deepEqual((await stack.up()).errors, {});
    assert.deepEqual(posted(), ["1008"]);
    const { recoveryPoint, recoveryPointId, recoveryPointTakenAt } = stack.outs("web");
    assert.deepEqual([recoveryPoint, recoveryPointId], [{ pick: "newest" }, "1008"]);
    assert.equal(Date.parse(String(recoveryPointTakenAt)), takenAt);
    const intent = stack.intentOf("web");
    assert.deepEqual([intent["recoveryPoint"], intent["recoveryPointId"]], [{ pick: "newest" }, "1008"]);
    assert.deepEqual(intent["choice"], { recoveryPointTakenAt, listed: 2, fitted: 2, warnings: [] });
  });

  it("stays when newer backups come and the same rule is spelled otherwise, and is chosen anew by new triggers and another rule", async () => {
    const { stack, back, posted } = scene();
    await stack.up();
    back("1009");
    for (const recoveryPoint of ["newest", {}, { pick: "newest" }, { within: undefined }]) {
      stack.change("web", { recoveryPoint });
      assert.deepEqual((await stack.up()).calls, []);
    }
    stack.change("web", { timeouts: { run: "3h" } });
    assert.deepEqual((await stack.up()).calls, ["update web"]);
    stack.change("web", { triggers: ["second"] });
    assert.deepEqual((await stack.up()).calls, ["create web's intent", "create web"]);
    stack.change("web", { recoveryPoint: { pick: "oldest" } });
    assert.deepEqual((await stack.up()).calls, ["create web's intent", "create web"]);
    assert.deepEqual(posted(), ["1008", "1009", "1007"]);
  });

  it("is kept by a try after a failure", async () => {
    const { stack, back, posted } = scene([web], [failing]);
    assert.match((await stack.up()).errors["web"] ?? "", /recovery point 1008\) failed/);
    back("1009");
    assert.deepEqual((await stack.up()).calls, ["create web"]);
    assert.deepEqual(posted(), ["1008", "1008"]);
  });

  it("that the panel has no more is refused in every run, and only new triggers choose anew, which the error says", async () => {
    const { stack, panel, back, posted } = scene([web], [refused, refused]);
    for (let run = 0; run < 2; run++) {
      assert.match(
        (await stack.up()).errors["web"] ?? "",
        /refused.*The recovery point that the rule chose.*new triggers/s,
      );
      panel.points = [];
      back("1009");
    }
    stack.change("web", { triggers: ["anew"] });
    assert.deepEqual((await stack.up()).errors, {});
    assert.deepEqual(posted(), ["1008", "1008", "1009"]);
  });

  it("is kept by a wait that is resumed", async () => {
    const long: Fate = { ...goodFate, runsForMs: 1_200 * second };
    const { stack, back, posted } = scene([{ ...web, args: { ...web.args, timeouts: { run: "1m" } } }], [long]);
    assert.match((await stack.up()).errors["web"] ?? "", /run limit of 1m/);
    back("1009");
    stack.change("web", { timeouts: { run: "1h" } });
    assert.deepEqual((await stack.up()).errors, {});
    const { status, recoveryPointId } = stack.outs("web");
    assert.deepEqual([status, recoveryPointId, posted()], ["complete", "1008", ["1008"]]);
  });

  it("is kept by the run after a kill at any moment once the intent is saved, though a newer backup was made", async () => {
    const counts = { chosenAnew: 0, kept: 0 };
    for (let killAfterMs = 0; killAfterMs <= 30 * second; killAfterMs += 250) {
      const { stack, back, posted } = scene([web], [], { answersAfterMs: second });
      await stack.up({ killAfterMs });
      const saved = stack.intentOf("web")["recoveryPointId"];
      back("1009");
      assert.deepEqual((await stack.up()).errors, {}, String(killAfterMs));
      const point = saved ?? "1009";
      counts[saved === undefined ? "chosenAnew" : "kept"]++;
      assert.deepEqual([posted(), stack.outs("web")["recoveryPointId"]], [[point], point], String(killAfterMs));
    }
    assert.ok(counts.chosenAnew > 0 && counts.kept > 0, JSON.stringify(counts));
  });

  it("given by its id instead of the rule is an update of both, and a restore of another id a new one", async () => {
    const { stack, back, posted } = scene();
    await stack.up();
    back("1009");
    stack.change("web", { recoveryPoint: undefined, recoveryPointId: 1008 });
    assert.deepEqual((await stack.up()).calls, ["update web's intent", "update web"]);
    assert.deepEqual((await stack.up()).calls, []);
    assert.deepEqual(posted(), ["1008"]);
    stack.change("web", { recoveryPointId: 1009 });
    assert.deepEqual((await stack.up()).errors, {});
    stack.change("web", { recoveryPoint: "newest", recoveryPointId: undefined });
    assert.deepEqual((await stack.up()).errors, {});
    assert.deepEqual(posted(), ["1008", "1009", "1009"]);
  });

  it("is from one list for all restores of the machine in a run", async () => {
    const etc: Declared = { ...web, name: "etc", kind: "FileRestore", args: { ...web.args, paths: ["/etc"] } };
    const { stack, back, posted, panel } = scene([web, etc]);
    panel.onSent = () => {
      if (panel.posts.length === 1) back("1009");
    };
    assert.deepEqual((await stack.up()).errors, {});
    assert.deepEqual(posted(), ["1008", "1008"]);
  });

  it("says what it passed over on the restore's row, and keeps it among its warnings", async () => {
    const { stack, back } = scene();
    back("1009", "merging");
    const { warnings } = await stack.up();
    const passed = /recovery point 1008 .* was chosen, and not 1009 \(merging/;
    assert.match(warnings.join("\n"), passed);
    assert.match(String(stack.outs("web")["warnings"]), passed);
    stack.change("web", { captureLog: "always" });
    await stack.up();
    assert.match(String(stack.outs("web")["warnings"]), passed);
  });

  it("that cannot be chosen fails the intent with what to do, and nothing is sent", async () => {
    const { stack, panel } = scene([
      { ...web, args: { ...web.args, recoveryPoint: { before: "2020-01-01T00:00:00Z" } } },
    ]);
    const { errors, calls } = await stack.up();
    const [text = ""] = [errors["web"]];
    assert.match(
      text,
      /^No recovery point of machine 42 was chosen .* and nothing was sent: none of the 2 that can be restored was taken then/,
    );
    assert.doesNotMatch(text, /No restore of machine/);
    assert.deepEqual([calls, panel.posts.length, stack.intentOf("web")], [["create web's intent"], 0, {}]);
  });
});

describe("a rule in a plan that says when it happened", () => {
  const at = (clock: VirtualClock, agoMs: number): string => new Date(clock.now() - agoMs).toISOString();
  const chosenWith = async (incidentAgoMs: number, recoveryPoint: unknown = "newest") => {
    const { clock, panel } = scene();
    const session = sessionOn(panel, undefined, { claims: new Claims() });
    const providerProcess = {
      newIntentId: () => "process-1",
      engineLog: { flushed: () => Promise.resolve() },
      session: () => session,
      listAccess: () => ({ points: new PointLists(session.client), pointStates: [] }),
      whyNotAllowed: () => undefined,
    };
    const incidentAt = at(clock, incidentAgoMs);
    const inputs = { kind: "VmRestore", virtualMachineId: "42", recoveryPoint, incidentAt };
    const intents = intentOperations(providerProcess as unknown as ProviderProcess);
    const { outs } = await clock.run(intents.create(inputs));
    return { outs, intents, inputs, incidentAt };
  };

  it("takes the last point before that, and stores what it went by", async () => {
    const { outs, incidentAt } = await chosenWith(hour + 1);
    assert.deepEqual([outs["recoveryPointId"], (outs["choice"] as PointChoice).incidentAt], ["1007", incidentAt]);
    assert.deepEqual((outs["choice"] as PointChoice).fitted, 1);
  });

  it("goes by its own moment where it names one", async () => {
    const { outs } = await chosenWith(90 * 60 * second, { before: "2100-01-01T00:00:00Z" });
    assert.deepEqual([outs["recoveryPointId"], (outs["choice"] as PointChoice).incidentAt], ["1008", undefined]);
  });

  it("is what is compared as it is written: another moment since chooses nothing", async () => {
    const { outs, intents, inputs } = await chosenWith(hour + 1);
    for (const incidentAt of [undefined, "2026-01-01T00:00:00Z", unknownString]) {
      assert.deepEqual(intents.diff("id", outs, { ...inputs, recoveryPoint: { pick: "newest" }, incidentAt }), {
        changes: false,
      });
    }
    const other = { ...inputs, recoveryPoint: { pick: "newest", before: "2026-01-01T00:00:00Z" } };
    assert.deepEqual(intents.diff("id", outs, other), { replaces: ["recoveryPoint"] });
  });
});

describe("a rule of a restore that names a transaction in adopt", () => {
  const theirs = (panel: PanelAtWork) =>
    panel.order({ machine: "42", point: "1001", kind: "VmRestore" }, "person").parts[0]!.id;

  it("chooses nothing: the transaction is taken whatever it restored from, and stays when adopt goes", async () => {
    const { stack, panel, clock } = scene([web], [], { tells: "point" });
    const id = theirs(panel);
    await clock.advance(5 * second);
    stack.change("web", { adopt: id });
    assert.deepEqual((await stack.up()).errors, {});
    const { status, transactionIds, recoveryPointId } = stack.outs("web");
    assert.deepEqual([status, transactionIds, recoveryPointId], ["complete", [id], undefined]);
    // Stored all the same: what is not is unknown in every preview.
    assert.deepEqual(stack.intentOf("web")["choice"], {});
    stack.change("web", { adopt: undefined });
    assert.deepEqual((await stack.up()).calls, ["update web"]);
    assert.deepEqual((await stack.up()).calls, []);
    assert.equal(panel.posts.length, 0);
  });

  it("sends nothing when that fails and adopt goes: only new triggers choose", async () => {
    const { stack, panel, posted } = scene([{ ...web, args: { ...web.args, adopt: "4711" } }]);
    assert.match((await stack.up()).errors["web"] ?? "", /4711/);
    stack.change("web", { adopt: undefined });
    assert.match((await stack.up()).errors["web"] ?? "", /no recovery point was chosen\. Change triggers/);
    assert.equal(panel.posts.length, 0);
    stack.change("web", { triggers: ["anew"] });
    assert.deepEqual((await stack.up()).errors, {});
    assert.deepEqual(posted(), ["1008"]);
  });
});
