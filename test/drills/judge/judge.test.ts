import assert from "node:assert/strict";
import { judge, type Surroundings } from "../../../drills/judge/judge";
import type { JudgedWave, PlanRestore, PlanText, RestoreEvent, WholeRestore } from "../../../drills/judge/stored";
import { assertGolden } from "../../support/golden";

/** A clean run of one restore, as stored. Each case changes one detail. */
interface Case {
  plan?: Partial<PlanText> | undefined;
  planned?: Partial<PlanRestore>;
  events?: readonly RestoreEvent[];
  wave?: Partial<JudgedWave>;
  around?: Partial<Surroundings>;
}

const entry = "e";
const own = (seconds: number): string => new Date(Date.parse("2026-11-21T10:00:00Z") + seconds * 1_000).toISOString();
/** The panel's clock is an hour behind ours. */
const panel = (seconds: number): string => own(seconds - 3_600);
const event = (at: number, did: object): RestoreEvent => ({ at: own(at), entry, ...did }) as RestoreEvent;
const of = { up: "p1", machine: "1", point: "10" };
const posted = (at = 0, more: object = {}) => event(at, { did: "posted", ...of, answer: "accepted", ...more });
const adopted = (at = 0, more: object = {}) => event(at, { did: "adopted", ...of, why: "found", ...more });
const listed = (id: string) => event(2, { did: "listed", ids: [id] });
const ended = (from = 1, to = 61, more: object = {}) =>
  event(to + 15, { did: "ended", status: "complete", requestedAt: panel(from), finishedAt: panel(to), ...more });
const failed = (more: object = {}) => ended(1, 9, { status: "failed", ...more });
const busy = event(0, { did: "stopped", sent: "no", why: "busy" });
const checked = (at: number, passed = true, more: object = {}) =>
  event(at, { did: "checked", check: "tcp", asks: "tcp", passed, attempts: 1, seconds: 1, ...more });
const noStamps = { requestedAt: undefined, finishedAt: undefined };
const running = [posted(), listed("5")];
const unstamped = ended(1, 61, noStamps);
const clean = [...running, ended()];
const again = [listed("5"), ended(301, 361), checked(380)];
const failedFirst = [posted(), listed("4"), failed()];
/** A restore that failed. Hours later, a run adopted a newer transaction that was already complete. */
const foundLater = [...failedFirst, adopted(9_000), listed("5"), ended(301, 361, { isFound: true })];
const tcp = { checks: [{ name: "tcp", kind: "tcp" as const, asks: "tcp" }] };

function judged({ plan, planned, events = clean, wave, around }: Case) {
  const text: PlanText = {
    run: "Q1",
    kind: "drill",
    onFailure: "stop",
    onMissedGoal: "fail",
    waves: [{ name: "data", restores: { db: { machine: "1", point: "10", checks: [], ...planned } } }],
    ...plan,
  };
  const stored: JudgedWave = {
    name: "data",
    intentRun: "Q1",
    isPending: false,
    entries: { db: { id: entry, mark: "m", machine: "1", point: "10" } },
    marks: { m: { panel: "https://panel.example", ended: ["4"], newestId: "4", process: "p1" } },
    waveRun: "Q1",
    restores: { db: events },
    panel: undefined,
    machines: [],
    logs: {},
    ...wave,
  };
  const state = { whole: [], pending: [], ...around };
  return judge({ run: "Q1", up: "p1", changed: {}, plan: text }, [stored], state);
}

/** Another restore of the whole machine, after the judged restore. */
function other(id: string, more: Partial<WholeRestore> = {}) {
  const web = { name: "web", machine: "1", at: own(100), ids: [id], requestedAt: panel(100), ...more };
  return { around: { whole: [web] } };
}

const before = { at: own(-100), requestedAt: panel(-100) };
/** Decimal ids in random order, so the mark must record a whole page. */
const atRandom = { wave: { marks: { m: { panel: "https://panel.example", ended: ["9", "2"], process: "p1" } } } };
const did = (...events: readonly RestoreEvent[]): Case => ({ events });
const ran = (...events: readonly RestoreEvent[]): Case => ({ events: [...running, ...events] });
const withCheck = (...events: readonly RestoreEvent[]): Case => ({ planned: tcp, events: [...clean, ...events] });
const timed = { goals: { recoveryTimeSeconds: 3_600 } };
const aged = (takenAt: string) => ({ takenAt, goals: { dataAgeSeconds: 60 } });
const old = aged("2026-11-21T02:00:00Z");
const incident = { incidentAt: "2026-11-21T08:00:00Z" };
const question = event(20, { did: "stopped", sent: "unknown", why: "5 may be it. If it is, write it" });
const mayBeSent = event(-5, { did: "stopped", sent: "unknown", why: "asks", entry: "was" });

type Cases = Readonly<Record<string, Case>>;

const passing: Cases = {
  "a clean run": {},
  "a machine that was also restored earlier": other("4"),
  "a machine that was also restored earlier, on a panel with random ids": { ...other("6", before), ...atRandom },
  "a machine with the same id on another panel": other("6", { panel: "https://other.example" }),
};
const warned: Cases = {
  "a restore that failed first": did(...failedFirst, ...clean),
  "a restore that was stopped before it was complete": did(busy, ...clean),
  "a check that failed before it passed": withCheck(checked(80, false), checked(900)),
  "a restore first sent by a later up": did(posted(0, { up: "p2" }), listed("5"), ended()),
  "an adoption after a question, without the question's advice": did(...failedFirst, question, adopted(30), ...again),
  "an adopted restore": did(adopted(0, { why: "named" }), listed("5"), ended()),
  "an adopted restore, and shows only the restore's own warning if that is more specific": did(
    ...[adopted(), listed("5"), ended(1, 61, { warnings: ["adopted transaction 5: an earlier attempt posted it"] })],
  ),
  "a restore with a warning": ran(ended(1, 61, { warnings: ["names no machine"] })),
};
const failing: Cases = {
  "a failed restore": ran(failed()),
  "a failed restore about which an up asked a question": did(...failedFirst, question),
  "a failed restore with a goal": { planned: timed, events: [...running, failed()] },
  "a failed later part": ran(failed({ failedPart: "6" })),
  "a check that did not pass": withCheck(checked(80, false, { why: "timeout" })),
  "a cancelled restore": ran(ended(1, 61, { status: "cancelled" })),
};
const incomplete: Cases = {
  "a restore that was sent but is not listed": did(posted()),
  "a running restore": ran(),
  "a restore that was not sent": did(busy),
  "a plan that contradicts the intent": { planned: { point: "11" } },
  "a wave that belongs to the previous run": { wave: { waveRun: "Q0" } },
  "an intent that belongs to the next run": {
    wave: { intentRun: "Q2", gone: { old: [{ id: "o", mark: "m", machine: "2", point: "1" }] } },
  },
  "a plan whose record belongs to the previous run": { plan: { run: "Q2" } },
  "an interrupted update": { around: { pending: ["shop-wave-data"] } },
  "a check that has not run": withCheck(),
  "a machine that was overwritten later": other("6"),
  "a machine that was overwritten later, on a panel with random ids": { ...other("4"), ...atRandom },
  "a machine that was overwritten later by our clock, without timestamps": { ...other("4", noStamps), ...atRandom },
  "a data age goal if the adopted transaction does not show its recovery point": {
    planned: old,
    events: [adopted(0, { why: "named", point: undefined }), listed("5"), ended()],
  },
  "a data age goal if the first request has no time": { planned: old, events: [adopted(), listed("5"), unstamped] },
  "a data age goal if its recovery point's time has no time zone": { planned: aged("2026-11-21 02:00:00") },
  "a recovery point after the incident": { plan: incident, planned: { takenAt: panel(0) } },
  "a recovery point dated a year ahead": { planned: aged("2027-11-21T08:30:00Z") },
  "a restore that was changed although it might have been sent": { planned: timed, events: [mayBeSent, ...clean] },
  "a failed check that was removed": { planned: timed, events: [...clean, checked(80, false)] },
  "a restore that was removed after it was sent": { wave: { restores: { db: clean, old: [posted(), failed()] } } },
  "an empty plan": { plan: { waves: [{ name: "data", restores: {} }] } },
};

const later = checked(9_020, true, { later: true });
const waited = posted(300, { waitedSeconds: 150 });
const http = { check: "http", asks: "http" };
type Time = readonly [readonly RestoreEvent[], number?, string?, number?];

const times: Readonly<Record<string, Time>> = {
  // By the panel's clock, 60 s. By our own clock, the POST was sent at 0 s, the end was read at 76 s, and the last check passed at 80 s.
  "by the panel's clock until the restore ends, and then by ours": [[...clean, checked(80)], 80, "panel"],
  "until a failed check's replacement ends": [[...clean, checked(80, false, http), checked(200)], 200, "panel"],
  "without counting a check that was added later": [[...clean, checked(900, true, { later: true })], 60, "panel"],
  "when the clock was set back before a five-minute check": [[...clean, checked(-3_000, true, { seconds: 300 })]],
  "from the first attempt, and shows the wait before the next": [[...failedFirst, waited, ...again], 380, "panel", 150],
  "from the first attempt, even if a complete restore was repeated": [[...clean, posted(300), ...again], 380, "panel"],
  "by our own clock on a panel without timestamps": [[...running, unstamped, checked(80)], 80, "own"],
  "by the panel's clock alone for a restore completed by hand between two runs": [[...foundLater, later], 360, "panel"],
  "when nobody waited for the restore to end and a check ran later": [[...foundLater, checked(9_020)]],
  "of an adopted restore without the panel's own time": [[adopted(), listed("5"), ended(), checked(80)], 64, "panel"],
  "for an adopted restore without timestamps": [[adopted(), listed("5"), unstamped, checked(80)]],
};

describe("the verdict of a run", () => {
  const tables = { passed: passing, "passed with warnings": warned, failed: failing, incomplete };
  for (const [verdict, cases] of Object.entries(tables))
    for (const [title, one] of Object.entries(cases))
      it(`is "${verdict}" for ${title}`, () => {
        const found = judged(one);
        const reasons = found.reasons.join("\n");
        assert.equal(found.verdict, verdict, reasons);
        if (verdict === "passed") assert.equal(reasons, "");
        else assertGolden("verdicts.txt", `the reasons for ${title}`, reasons);
      });

  it("includes no recovery time for a restore that was overwritten", () => {
    const { recoveryTimeSeconds, goals } = judged({ ...other("6"), planned: timed });
    assert.deepEqual([recoveryTimeSeconds, goals.map(({ result }) => result)], [undefined, ["not measured"]]);
  });

  for (const [title, [events, seconds, clock, waitedSeconds]] of Object.entries(times))
    it(`${seconds === undefined ? "does not measure" : "measures"} the recovery time ${title}`, () => {
      for (const [recoveryTimeSeconds, result] of [
        [seconds ?? 1, "met"],
        [(seconds ?? 1) - 1, "missed"],
      ] as const) {
        const stored = JSON.parse(JSON.stringify(events)) as RestoreEvent[];
        const found = judged({ planned: { ...tcp, goals: { recoveryTimeSeconds } }, events: stored });
        const [goal] = found.goals;
        assert.equal(goal?.result, seconds === undefined ? "not measured" : result);
        assert.deepEqual([goal.measuredSeconds, found.recoveryTimeSeconds], [seconds, seconds]);
        assert.deepEqual([goal.clock, goal.waitedSeconds], [clock, waitedSeconds]);
      }
    });

  it("has a recovery time for the whole plan if one clock measured it, and says which part of it was spent searching", () => {
    const own = { machine: "2", point: "10", checks: [] };
    const restores = { db: { ...own, machine: "1" }, web: own };
    const entryOf = (machine: string) => ({ id: entry, mark: "m", machine, point: "10" });
    const entries = { db: entryOf("1"), web: entryOf("2") };
    const found = (at: number, more: object = {}) => {
      const web = [posted(at, { machine: "2", waitedSeconds: 150 }), listed("6"), ended(at + 1, at + 61, more)];
      const plan = { waves: [{ name: "data", restores }] };
      return judged({ plan, wave: { entries, restores: { db: clean, web } } });
    };
    const waits = [300, 76, 75].map((at) => /includes waits \((.+) of it/.exec(found(at).reasons.join())?.[1]);
    assert.deepEqual(waits, ["2m 30s", "1m 16s", "1m 15s"]);
    const seconds = [found(300), found(300, noStamps)].map(({ recoveryTimeSeconds }) => recoveryTimeSeconds);
    assert.deepEqual(seconds, [360, undefined]);
  });

  it("treats a missed goal as the plan specifies", () => {
    const goals = { recoveryTimeSeconds: 59 };
    assert.equal(judged({ planned: { goals } }).verdict, "failed");
    assert.equal(judged({ planned: { goals }, plan: { onMissedGoal: "warn" } }).verdict, "passed with warnings");
    const waves = [{ name: "data", goals, restores: { db: { machine: "1", point: "10", checks: [] } } }];
    assert.equal(judged({ plan: { onMissedGoal: "warn", waves } }).verdict, "passed with warnings");
    assert.match(judged({ plan: { wholeGoals: goals } }).reasons.join(), /the whole plan: recovery time 1m, goal 59s/);
  });

  it("measures the data age at the incident, or at the first request if there was no incident", () => {
    const planned = { takenAt: "2026-11-21T07:50:00Z", goals: { dataAgeSeconds: 7_200 } };
    const age = (plan: Case["plan"], events = clean) => judged({ plan, planned, events }).goals[0]?.measuredSeconds;
    const noZone = [...running, ended(1, 61, { requestedAt: "2026-11-21 10:00", finishedAt: "2026-11-21 10:01" })];
    assert.deepEqual([age(incident), age({}), age({}, noZone)], [600, 4_201, 7_800]);
    assert.equal(judged({ planned: aged(panel(30)) }).goals[0]?.measuredSeconds, 0, "taken after the request");
  });
});
