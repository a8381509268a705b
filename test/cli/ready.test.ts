import assert from "node:assert/strict";
import { join } from "node:path";
import { plan } from "../support/stored/plans";
import { complete, pendingOn, type Played, restore } from "../support/stored/restores";
import { exportedStack, shown } from "../support/stored/stack";
import { VirtualClock } from "../support/virtual-clock";
import { inDirectory } from "../sandbox/support/temporary-directory";
import { assertGolden } from "../support/golden";
import { assertRefused, call, driven, useNoProject } from "./support/call";
import { environmentOf, type Held, now, panelOf } from "./support/panel";
import { readMetrics } from "./support/prometheus";
import { type ReadySetup, runReady } from "./support/run-ready";

const hour = 3_600;
const done: Partial<Played> = { status: "complete", transaction: "5015" };
const stackOf = (stored: Partial<Played>): object => exportedStack(restore(stored));
const pointsOf = (points: readonly object[] | number): Partial<Held> => ({
  machines: { "42": { points: points as never } },
});
const point = (id: number, hours: number, state = "built") => ({
  id,
  state,
  created_at: new Date(Date.parse("2026-11-21T11:00:00Z") - hours * hour * 1_000).toISOString(),
});
const newest: Partial<Played> = { ...done, outputs: { recoveryPoint: { pick: "newest" } } };
const random: Partial<Played> = { ...done, outputs: { recoveryPoint: { pick: "random" } } };
const goal = { goalAgeSeconds: 24 * hour };
const backup = { id: 5020, action: "take_backup", status: "running", virtual_machine_id: 42 };
const building = pointsOf([point(1007, 1, "building")]);
const othersPoints = pointsOf([{ ...point(1007, 1), virtual_machine_id: 43 }]);
const zoneless = pointsOf([{ id: 1007, created_at: "2026-11-21 10:00:00" }]);
const passedOver = pointsOf([point(1, 2), point(2, 1, "merging")]);
const elsewhere: Partial<Played> = { ...done, panel: "https://other.example.com" };

const ofDrSite = JSON.parse(JSON.stringify(stackOf(done)).replaceAll("::default::", "::dr-site::")) as object;

/** A state and a panel for each finding about a restore, with the expected readiness and the finding's code. */
type Setup = Partial<ReadySetup> & { readonly of?: Partial<Played> };
const checks = [{ name: "http", kind: "http", result: "failed" }] as const;
const unchecked = exportedStack(plan({ data: { web: { checks, ...complete("5014") } } }));
const notPassed: Setup = { state: unchecked, provenWithinSeconds: 90 * 24 * hour };
const cases: readonly (readonly [what: string, setup: Setup, found: string])[] = [
  ["a point that is listed and usable", {}, "ready"],
  ["a point no older than its age goal", goal, "ready"],
  ["a machine that the panel does not know", { panel: { machines: {} } }, "not ready: machine.unknown"],
  ["a machine that is not allowed", { settings: { allowedMachines: "[41]" } }, "not ready: machine.not-allowed"],
  ["a forbidden log", { panel: { refuse: [[/logs/, 403]] } }, "cannot be judged: machine.log"],
  ["a busy machine", { panel: { rows: [backup] } }, "ready: machine.busy"],
  ["a forbidden list", { panel: { refuse: [[/transactions/, 403]] } }, "cannot be judged: list.forbidden"],
  ["a point that is gone", { panel: pointsOf([point(1008, 1)]) }, "not ready: point.gone"],
  ["a point on a panel that lists none", { panel: pointsOf([]) }, "cannot be judged: points.none"],
  ["a point that failed", { panel: pointsOf([point(1007, 1, "failed")]) }, "not ready: point.unusable"],
  ["a point that is being built", { panel: building }, "cannot be judged: point.unusable"],
  ["a point state listed in the settings", { panel: building, settings: { pointStates: "building" } }, "ready"],
  ["a point older than its age goal", { panel: pointsOf([point(1007, 9 * 24)]), ...goal }, "not ready: point.too-old"],
  ["a point without an id", { panel: pointsOf([{ state: "built" }]) }, "cannot be judged: points.no-ids"],
  ["a point without a time zone", { panel: zoneless, ...goal }, "cannot be judged: points.no-times"],
  ["no panel time", { panel: { dateHeader: undefined }, ...goal }, "cannot be judged: points.no-clock"],
  ["a point in the future without a goal", { panel: pointsOf([point(1007, -9)]) }, "ready: points.future"],
  ["a point in the future", { panel: pointsOf([point(1007, -9)]), ...goal }, "cannot be judged: points.future"],
  ["a panel without a list of points", { panel: pointsOf(404) }, "cannot be judged: points.no-list"],
  ["a forbidden list of points", { panel: pointsOf(403) }, "cannot be judged: points.forbidden"],
  ["a list of another machine's points", { panel: othersPoints }, "cannot be judged: points.other-machines"],
  ["a rule with usable points", { of: newest, panel: pointsOf([point(1, 2), point(2, 1)]) }, "ready"],
  ["a random rule", { of: random, panel: pointsOf([point(1, 2), point(2, 1)]) }, "ready"],
  ["a rule without usable points", { of: newest, panel: pointsOf([]) }, "not ready: point.none"],
  ["a rule that skips a newer point", { of: newest, panel: passedOver }, "ready: point.passed-over"],
  ["a failed restore", { of: { status: "failed", transaction: "5015" } }, "not ready: restore.failed"],
  ["a cancelled restore", { of: { status: "cancelled", transaction: "5015" } }, "not ready: restore.cancelled"],
  ["a running restore", { of: { status: "running", transaction: "5015" } }, "not ready: restore.running"],
  ["a restore that was sent but is not listed", { of: { status: "sent" } }, "not ready: restore.sent"],
  ["a restore that was not sent", { of: {} }, "ready: restore.not-sent"],
  ["a restore on another panel", { of: elsewhere }, "cannot be judged: restore.other-panel"],
  ["a restore that uses another provider", { state: ofDrSite }, "cannot be judged: restore.other-provider"],
  ["a proof exactly as old as the limit", { provenWithinSeconds: 3_535 }, "ready"],
  ["a proof that is too old", { provenWithinSeconds: 3_534 }, "not ready: restore.proof-old"],
  ["a check that has not passed", notPassed, "not ready: restore.not-proven, restore.not-checked"],
  ["an unproven restore", { of: {}, provenWithinSeconds: hour }, "not ready: restore.not-proven, restore.not-sent"],
];

describe("pulumi-recovery ready", () => {
  useNoProject();

  for (const [what, { of = done, ...setup }, found] of cases)
    it(`reports "${found}" for ${what}`, async () => {
      const { ready, lines, markdown } = await runReady({ state: stackOf(of), ...setup });
      const [one] = ready.restores;
      const codes = one?.findings.map(({ code }) => code).join(", ") ?? "";
      assert.equal(`${String(one?.readiness)}${codes === "" ? "" : `: ${codes}`}`, found);
      assert.equal(ready.verdict, one?.readiness);
      assertGolden("ready.txt", what, [...lines, "", markdown.split("\n").at(-2)].join("\n"));
    });

  it("does not accept an adopted restore as proof if it is from another point or its paths are unknown", async () => {
    const codesOf = async (state: object): Promise<string> => {
      const { ready } = await runReady({ state, provenWithinSeconds: 90 * 24 * hour });
      return ready.restores[0]?.findings.map(({ code }) => code).join() ?? "";
    };
    const inPlan = (showing: object) =>
      codesOf(exportedStack(plan({ data: { db: { adopted: true, showing, ...complete("5015") } } })));
    const alone = (outputs: object) => codesOf(stackOf({ ...done, adopted: true, outputs }));
    const [adopt, adoptedPoint] = ["5015", "1008"];
    for (const is of [inPlan({}), alone({}), alone({ adopt, adoptedPoint: "1007" })]) assert.equal(await is, "");
    // Nothing is reported as changed since the proof, because the restore was never proven.
    for (const showing of [{ point: "1008" }, { why: "named", paths: ["/etc"] }])
      assert.equal(await inPlan(showing), "restore.not-proven");
    for (const outputs of [{ adoptedPoint }, { adopt, adoptedPoint }, { adopt }])
      assert.equal(await alone(outputs), "restore.not-proven");
  });

  it("says that a restore would wait for a busy machine, unless the job that keeps it busy may be that restore", async () => {
    for (const [status, end] of Object.entries({ complete: /A restore would wait\.$/, running: /running\)\.$/ })) {
      const { ready } = await runReady({ state: stackOf({ status, transaction: "5020" }), panel: { rows: [backup] } });
      assert.match(ready.restores[0]?.findings.at(-1)?.says ?? "", end);
    }
  });

  it("does not say that `pulumi up` will retry a failed restore when retryFailed is false", async () => {
    const adviceFor = async (outputs: object): Promise<string> => {
      const { ready } = await runReady({ state: stackOf({ status: "failed", transaction: "5015", outputs }) });
      return ready.restores[0]?.findings[0]?.then ?? "";
    };
    assert.equal(await adviceFor({}), "`pulumi up` tries again, or asks you what to do.");
    assert.match(await adviceFor({ retryFailed: false }), /^Change its `triggers` to restore it again/);
  });

  it("advises a new `run` only when the current run has nothing left to do", async () => {
    const [failed, kept] = ["failed", "cancelled"].map((status) => ({ status, transaction: "5015" }));
    for (const [stored, advice] of [
      [{}, /^It is not finished: `pulumi up` continues it, or asks you what to do\.$/],
      [failed, /^It is not finished: `pulumi up` continues it, or asks you what to do\.$/],
      [kept, /^Change its `triggers` to restore it again\.$/],
      [complete("5015"), /^Restore it in a drill: set a new `run` on its plan, /],
    ] as const) {
      const state = exportedStack(plan({ data: { web: { ...stored } } }));
      const { ready } = await runReady({ state, provenWithinSeconds: 60 });
      const proof = ready.restores[0]?.findings.find(({ code }) => /proof|proven/.test(code));
      assert.match(proof?.then ?? "", advice);
    }
  });

  it("requests nothing about a machine on another panel", async () => {
    const { paths } = await runReady({ state: stackOf(elsewhere) });
    assert.ok(paths.every((path) => path.startsWith("/transactions")));
  });

  it("uses the goal of the restore, its wave or the plan, and does not let a rule choose a point taken after the incident", async () => {
    const rule = { pick: "newest" } as const;
    const data = { db: { rule, ...complete("5014") }, web: { goals: { dataAgeSeconds: 60 }, ...complete("5015") } };
    const ofPlan = { goals: { dataAgeSeconds: 3 * hour }, incidentAt: "2026-11-21T09:30:00Z" };
    const state = exportedStack(plan({ data }, ofPlan));
    const { ready } = await runReady({ state, panel: pointsOf([point(1007, 1), point(1006, 2)]) });
    const [db, web] = ready.restores;
    assert.deepEqual([db?.recoveryPointId, db?.goalSeconds, db?.leftSeconds], ["1006", 3 * hour, 2.5 * hour]);
    assert.deepEqual([web?.goalSeconds, web?.readiness], [60, "not ready"]);
  });

  it("measures the data's age at the time of the plan's incident, and rejects points taken after the incident", async () => {
    const [older, newer] = ["2026-11-18T11:00:00Z", "2026-11-21T10:00:00Z"];
    const judged = async (incidentAt: string, more: Partial<Parameters<typeof runReady>[0]>, takenAt = older) => {
      const web = { ...complete("5014"), ...(takenAt !== "" && { takenAt }) };
      const state = exportedStack(plan({ data: { web } }, { incidentAt, goals: { dataAgeSeconds: hour } }));
      const [one] = (await runReady({ state, ...more })).ready.restores;
      return [one?.readiness, one?.ageSeconds, ...(one?.findings.map(({ code }) => code) ?? [])];
    };
    const days = pointsOf([point(1007, 3 * 24)]);
    assert.deepEqual(await judged("2026-11-18T11:30:00Z", { panel: days }), ["ready", hour / 2]);
    const unsaid = await judged("2026-11-18T11:30:00Z", { panel: days }, "");
    assert.deepEqual(unsaid, ["ready", hour / 2, "goal.not-measurable"]);
    assert.deepEqual(await judged("2026-11-18T13:00:00Z", { panel: days }), ["not ready", 2 * hour, "point.too-old"]);
    const late = ["not ready", undefined, "point.after-incident"];
    assert.deepEqual(await judged("2026-11-21T09:00:00Z", { panel: pointsOf([point(1007, 1)]) }), late);
    const declared = await judged("2026-11-21T09:00:00Z", { panel: pointsOf(404) }, newer);
    assert.deepEqual(declared, [...late, "points.no-list"]);
  });

  it("reports what it cannot read, and says that the stack cannot be judged", async () => {
    const virtualMachineId = { "4dabf18193072939515e22adb298388d": "x" };
    const { ready } = await runReady({ state: stackOf({ ...done, outputs: { virtualMachineId } }) });
    assert.equal(ready.verdict, "cannot be judged");
    assert.match(ready.unreadable.join(), /does not show the machine of web/);
    const begun = await runReady({ state: exportedStack([], [pendingOn("web-vm-intent", "Intent")]) });
    assert.match(begun.ready.unreadable.join(), /web-vm-intent is being created, or its run was interrupted/);
    const revealed = await runReady({ state: stackOf({ ...done, outputs: { virtualMachineId: shown("42") } }) });
    assert.equal(revealed.ready.verdict, "ready");
  });

  it("keeps the verdict when a question is accepted, but marks the verdict as accepted", async () => {
    const setup = { state: stackOf(done), panel: pointsOf(404), provenWithinSeconds: hour };
    const asked = await runReady(setup);
    assert.match(asked.lines.join(" "), /\[points\.no-list\]/);
    assert.match(JSON.stringify(asked.ready), /lists no .* 42 \(status 404\), .* whether point 1007 can still be/);
    const known = [{ code: "points.no-list", about: "42", why: "this panel has no list" }];
    const { ready, lines, markdown } = await runReady({ ...setup, known });
    assert.deepEqual([ready.verdict, ready.isAccepted, ready.counts.accepted], ["cannot be judged", true, 1]);
    assertGolden("ready.txt", "an accepted question", [...lines, "", markdown].join("\n"));
    const other = await runReady({ ...setup, known: [{ code: "points.no-list", about: "4", why: "another machine" }] });
    assert.equal(other.ready.isAccepted, false);
  });

  it("prints the worst restores first, within 80 columns, and gives advice once for each kind of finding", async () => {
    const state = exportedStack([
      ...restore(done),
      ...restore({ ...done, name: "gone", point: "1", transaction: "5016" }),
      ...restore({ ...done, name: "gone-too", point: "2", transaction: "5017" }),
    ]);
    const { lines, markdown } = await runReady({ state, ...goal });
    assertGolden("ready.txt", "three restores of one machine", [...lines, "", markdown].join("\n"));
    const long = `front-${"web-server-".repeat(5)}17`;
    const ids = { machine: "of-the-web-shop-17", point: "of-the-night-before" };
    const narrow = exportedStack([...restore(done), ...restore({ name: long, ...ids })]);
    assert.deepEqual(
      (await runReady({ state: narrow, goalAgeSeconds: hour, provenWithinSeconds: 90 * 24 * hour })).lines.slice(1, 3),
      [" !!  front-…er-17  of-the-…  of-the-…  –    –     –", "       machine unknown, not proven, not sent"],
    );
  });

  it("writes a metric sample only when its value is known", async () => {
    const values = async (setup: Partial<ReadySetup>): Promise<Record<string, number>> => {
      const samples = readMetrics((await runReady({ state: stackOf(done), ...setup })).metrics);
      return Object.fromEntries(samples.map(({ name, value }) => [name.replace("pulumi_recovery_", ""), value]));
    };
    assert.deepEqual(await values(goal), {
      ready: 1,
      ready_looked_timestamp_seconds: Date.parse("2026-11-21T11:00:00Z") / 1_000,
      restore_ready: 1,
      restore_cannot_be_judged: 0,
      restore_point_age_seconds: hour,
      restore_point_age_goal_seconds: 24 * hour,
      restore_proven_timestamp_seconds: Date.parse("2026-11-21T10:01:05Z") / 1_000,
      restore_last_complete: 1,
    });
    const twice = await runReady({ state: exportedStack([...restore(done), ...restore({ ...done, of: "shop" })]) });
    assert.match(twice.metrics, /restore="web 2"/);
    const unknown = await values({ panel: pointsOf(404) });
    assert.deepEqual([unknown["ready"], unknown["restore_cannot_be_judged"]], [0, 1]);
    assert.equal("restore_ready" in unknown, false);
  });

  it("exits with 3 if nothing can be judged", () =>
    inDirectory(async (folder) => {
      const ready = (state: object, ...args: string[]) =>
        call(["ready", "--state", "-", ...args], environmentOf(), JSON.stringify(state), undefined, { reach });
      const clock = new VirtualClock({ startAt: now });
      const reach = { clock, transport: panelOf({ rows: [], refuse: [[/./, 401]] }).transport };
      for (const [state, args, says] of [
        [stackOf(done), [], /did not accept the user name and password/],
        [{}, [], /this is not a stack's state/],
        [exportedStack([]), [], /no restores yet\. To read a preview, .* `pulumi preview .* ready --preview -`/],
        [stackOf(done), ["--plan", "shop"], /the state contains no plan shop; it contains none/],
        [stackOf(done), ["--provider", "dr"], /the state contains no provider dr; it contains no explicit provider/],
        [stackOf(done), ["--goal-age", "soon"], /--goal-age is "soon"/],
        [stackOf(done), ["--out", "-"], /--out needs a folder/],
        [stackOf(done), ["--known", join(folder, "none.json")], /cannot be read/],
      ] as const) {
        assertRefused(await driven(clock, ready(state, ...args)), says);
      }
    }));
});
