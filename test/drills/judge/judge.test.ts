import assert from "node:assert/strict";
import { judge, type JudgedRun, type Surroundings } from "../../../drills/judge/judge";
import type { Entry, JudgedWave, PlanRestore, PlanText, RestoreEvent } from "../../../drills/judge/stored";

/** A clean run of one restore, as stored. Each case changes one thing. */
interface Case {
  plan?: Partial<PlanText>;
  planned?: Partial<PlanRestore>;
  run?: Partial<JudgedRun>;
  entry?: Partial<Entry>;
  events?: readonly RestoreEvent[];
  wave?: Partial<JudgedWave>;
  around?: Partial<Surroundings>;
}

const entry = "e";
const own = (seconds: number): string => new Date(Date.parse("2026-11-21T10:00:00Z") + seconds * 1_000).toISOString();
/** The panel's clock is an hour behind ours. */
const panel = (seconds: number): string => own(seconds - 3_600);
const posted = (at = 0, more: object = {}): RestoreEvent => ({
  at: own(at),
  entry,
  did: "posted",
  up: "p1",
  machine: "1",
  point: "10",
  answer: "accepted",
  ...more,
});
const listed = (...ids: readonly string[]): RestoreEvent => ({ at: own(2), entry, did: "listed", ids });
const ended = (from = 1, to = 61, more: object = {}): RestoreEvent => ({
  at: own(to + 15),
  entry,
  did: "ended",
  status: "complete",
  requestedAt: panel(from),
  finishedAt: panel(to),
  ...more,
});
const checked = (at: number, passed = true, more: object = {}): RestoreEvent => ({
  at: own(at),
  entry,
  did: "checked",
  check: "tcp",
  asks: "tcp",
  passed,
  attempts: 1,
  seconds: 1,
  ...more,
});
const adopted = (at: number): RestoreEvent => ({ ...posted(at), did: "adopted", why: "found" }) as RestoreEvent;
const found = (from: number, to: number, more: object = {}): RestoreEvent =>
  ended(from, to, { isFound: true, ...more });
const stopped = (at: number): RestoreEvent => ({ at: own(at), entry, did: "stopped", sent: "yes", why: "run passed" });
const checkedLater = checked(9_020, true, { later: true });
const clean = [posted(), listed("5"), ended()];
const tcp = { checks: [{ name: "tcp", kind: "tcp" as const, asks: "tcp" }] };

function judged({ plan, planned, run, entry: changed, events = clean, wave, around }: Case) {
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
    entries: { db: { id: entry, mark: "m", machine: "1", point: "10", ...changed } },
    panels: { m: "https://panel.example" },
    waveRun: "Q1",
    restores: { db: events },
    logs: {},
    ...wave,
  };
  const others = { others: [], pending: [], notRun: [], ...around };
  return judge({ run: "Q1", up: "p1", changes: [], plan: text, ...run }, [stored], others);
}

function completed(id: string, paths?: readonly string[]) {
  const sent = {
    ...posted(100),
    did: "posted" as const,
    up: "p",
    machine: "1",
    answer: "accepted" as const,
    ...(paths && { paths }),
  };
  const attempt = { entry: "w", sent, ids: [id], ended: ended(100, 160) as never, checks: [], stops: [] };
  return { name: "web", machine: "1", happened: { attempts: [attempt], counts: attempt } };
}

describe("the verdict of a run", () => {
  const cases: readonly (readonly [
    string,
    Case,
    "passed" | "passed with warnings" | "failed" | "incomplete",
    RegExp?,
  ])[] = [
    ["a clean run", {}, "passed"],
    [
      "a restore that failed",
      { events: [posted(), listed("5"), ended(1, 61, { status: "failed" })] },
      "failed",
      /db failed \(transaction 5\)/,
    ],
    [
      "a part behind it that failed",
      { events: [posted(), listed("5"), ended(1, 61, { status: "failed", failedPart: "6" })] },
      "failed",
      /complete, but its transaction 6 failed/,
    ],
    [
      "a cancelled one",
      { events: [posted(), listed("5"), ended(1, 61, { status: "cancelled" })] },
      "failed",
      /was cancelled/,
    ],
    [
      "one that failed first",
      { events: [posted(), listed("4"), ended(1, 9, { status: "failed" }), ...clean] },
      "passed with warnings",
      /ended as failed.*restored 2 times/s,
    ],
    ["one that is sent, and not listed", { events: [posted()] }, "incomplete", /was sent, and is not listed/],
    ["one that runs", { events: [posted(), listed("5")] }, "incomplete", /db is running \(transaction 5\)/],
    [
      "one that was not sent",
      { events: [{ at: own(0), entry, did: "stopped", sent: "no", why: "busy" }] },
      "incomplete",
      /was not sent: busy/,
    ],
    [
      "a stop, then complete",
      { events: [{ at: own(0), entry, did: "stopped", sent: "no", why: "busy" }, ...clean] },
      "passed with warnings",
      /stopped at .*: busy/,
    ],
    ["an entry that was changed since", { entry: { id: "new" } }, "incomplete", /was not sent since it was changed/],
    [
      "a plan that says otherwise than the intent",
      { planned: { point: "11" } },
      "incomplete",
      /was not sent since it was changed/,
    ],
    ["a wave of the previous run", { wave: { waveRun: "Q0" } }, "incomplete", /last carried out in run Q0/],
    ["an intent of the next run", { wave: { intentRun: "Q2" } }, "incomplete", /last asked for in run Q2/],
    ["a run that was left out", { plan: { run: "Q2" } }, "incomplete", /the plan is of run Q2, and its record of Q1/],
    [
      "an update that broke off",
      { around: { pending: ["shop-wave-data"] } },
      "incomplete",
      /an update of shop-wave-data/,
    ],
    ["a check that has not run", { planned: tcp }, "incomplete", /check tcp has not run/],
    [
      "a check that did not pass",
      { planned: tcp, events: [...clean, checked(80, false, { why: "ECONNREFUSED" })] },
      "failed",
      /check tcp did not pass: ECONNREFUSED/,
    ],
    [
      "a check that passed later",
      { planned: tcp, events: [...clean, checked(80, false), checked(900)] },
      "passed with warnings",
      /check tcp did not pass at/,
    ],
    [
      "a change of the plan",
      { run: { changes: [{ at: own(5), what: "waves.data.db.point was 9, is 10" }] } },
      "passed with warnings",
      /point was 9, is 10/,
    ],
    [
      "a first record of a later up",
      { events: [posted(0, { up: "p2" }), listed("5"), ended()] },
      "passed with warnings",
      /no record of an attempt before: db/,
    ],
    [
      "an adopted one",
      { events: [{ ...posted(), did: "adopted", why: "named" } as RestoreEvent, listed("5"), ended()] },
      "passed with warnings",
      /adopt names it/,
    ],
    [
      "a warning of the restore",
      { events: [posted(), listed("5"), ended(1, 61, { warnings: ["nothing named the machine"] })] },
      "passed with warnings",
      /nothing named the machine/,
    ],
    [
      "a restore that was taken out",
      { wave: { restores: { db: clean, old: [posted(), ended(1, 2, { status: "failed" })] } } },
      "passed with warnings",
      /old was taken out.*failed/,
    ],
    [
      "a resource between the waves that did not run",
      { around: { notRun: ["dns"] } },
      "passed with warnings",
      /dns, between the waves, did not run/,
    ],
    [
      "a machine that was restored again since",
      { around: { others: [completed("6")] } },
      "incomplete",
      /was overwritten by web \(transaction 6\)/,
    ],
    ["files that were restored since", { around: { others: [completed("6", ["/a"])] } }, "passed"],
    ["a machine that was restored before", { around: { others: [completed("4")] } }, "passed"],
    [
      "a machine of the same id on another panel",
      { around: { others: [{ ...completed("6"), panel: "https://other.example" }] } },
      "passed",
    ],
    [
      "lettered ids, restored again since by the panel's stamps",
      { events: [posted(), listed("a"), ended()], around: { others: [completed("b")] } },
      "incomplete",
      /overwritten/,
    ],
    [
      "a point after the incident",
      { plan: { incidentAt: "2026-11-21T08:00:00Z" }, planned: { takenAt: "2026-11-21T08:30:00Z" } },
      "incomplete",
      /after the incident/,
    ],
    [
      "a point stamped a year ahead",
      { planned: { takenAt: "2027-11-21T08:30:00Z", goals: { dataAgeSeconds: 60 } } },
      "incomplete",
      /data age not measured.*has no age/s,
    ],
    ["nothing planned", { plan: { waves: [{ name: "data", restores: {} }] } }, "incomplete", /nothing was planned/],
  ];
  for (const [title, one, verdict, reason] of cases)
    it(`${title}: ${verdict}`, () => {
      const found = judged(one);
      assert.equal(found.verdict, verdict, found.reasons.join("\n"));
      assert.match(found.reasons.join("\n"), reason ?? /^$/);
    });

  const goals = (recoveryTimeSeconds: number): Partial<PlanRestore> => ({ ...tcp, goals: { recoveryTimeSeconds } });
  const times: readonly (readonly [string, readonly RestoreEvent[], number | undefined, string?, number?])[] = [
    // 60 s by the panel, and 4 s from its end, as it was read, to the last check.
    ["by the panel's clock, and the check by ours", [...clean, checked(80)], 64, "panel"],
    ["a check that was added later does not count", [...clean, checked(900, true, { later: true })], 60, "panel"],
    ["with the clock set back before a check of five minutes: not measured", [...clean, checked(-3_000, true, { seconds: 300 })], undefined], // prettier-ignore
    [
      "from the first attempt since it was last back, with the wait told",
      [
        posted(),
        listed("4"),
        ended(1, 9, { status: "failed" }),
        posted(300, { waitedSeconds: 150 }),
        listed("5"),
        ended(301, 361),
        checked(380),
      ],
      364,
      "panel",
      150,
    ],
    [
      "a panel without stamps: by our own clock",
      [posted(), listed("5"), ended(1, 61, { requestedAt: undefined, finishedAt: undefined }), checked(80)],
      80,
      "own",
    ],
    [
      "of a restore that a person ended between two runs: by the panel's clock alone",
      [
        posted(),
        listed("4"),
        ended(1, 9, { status: "failed" }),
        adopted(9_000),
        listed("5"),
        found(301, 361),
        checkedLater,
      ],
      360,
      "panel",
    ],
    [
      "of a restore that was resumed after its end: by the panel's clock alone",
      [posted(), listed("5"), stopped(30), found(1, 61), checkedLater],
      60,
      "panel",
    ],
    [
      "of an end that nobody waited for, with a check after it: not measured",
      [posted(), listed("4"), ended(1, 9, { status: "failed" }), adopted(9_000), listed("5"), found(301, 361), checked(9_020)], // prettier-ignore
      undefined,
    ],
    [
      "of an end that nobody waited for, on a panel without stamps: not measured",
      [posted(), listed("5"), stopped(30), found(1, 9_000, { requestedAt: undefined, finishedAt: undefined }), checked(9_020)], // prettier-ignore
      undefined,
    ],
    [
      "of an end that a later run has waited for, on a panel without stamps: by our own clock",
      [
        posted(),
        listed("5"),
        stopped(30),
        ended(1, 61, { requestedAt: undefined, finishedAt: undefined }),
        checked(80),
      ],
      80,
      "own",
    ],
    [
      "an adopted restore of such a panel: not measured",
      [
        { ...posted(), did: "adopted", why: "found" } as RestoreEvent,
        listed("5"),
        ended(1, 61, { requestedAt: undefined, finishedAt: undefined }),
        checked(80),
      ],
      undefined,
    ],
  ];
  for (const [title, events, seconds, clock, waitedSeconds] of times)
    it(`measures the recovery time ${title}`, () => {
      for (const [target, result] of [
        [seconds ?? 1, "met"],
        [(seconds ?? 1) - 1, "missed"],
      ] as const) {
        const {
          goals: [goal],
          recoveryTimeSeconds,
        } = judged({ planned: goals(target), events: JSON.parse(JSON.stringify(events)) as RestoreEvent[] });
        assert.equal(goal?.measuredSeconds, seconds);
        assert.equal(goal?.result, seconds === undefined ? "not measured" : result);
        assert.equal(goal?.clock, clock);
        assert.equal(goal?.waitedSeconds, waitedSeconds);
        assert.equal(recoveryTimeSeconds, seconds);
      }
    });

  it("judges a missed goal as the plan says", () => {
    const late = { planned: { goals: { recoveryTimeSeconds: 59 } } };
    assert.equal(judged(late).verdict, "failed");
    assert.equal(
      judged({
        ...late,
        plan: {
          onMissedGoal: "warn",
          waves: [
            {
              name: "data",
              goals: { recoveryTimeSeconds: 59 },
              restores: { db: { machine: "1", point: "10", checks: [] } },
            },
          ],
        },
      }).verdict,
      "passed with warnings",
    );
    assert.match(
      judged({ plan: { wholeGoals: { recoveryTimeSeconds: 59 } } }).reasons.join(),
      /the whole plan: recovery time 1m, goal 59s/,
    );
  });

  it("measures the data's age at the incident, or at the first request", () => {
    const aged = (incidentAt?: string) =>
      judged({
        plan: incidentAt === undefined ? {} : { incidentAt },
        planned: { takenAt: "2026-11-21T08:00:00Z", goals: { dataAgeSeconds: 7_200 } },
      }).goals[0]?.measuredSeconds;
    assert.equal(aged("2026-11-21T08:10:00Z"), 600);
    assert.equal(aged(), 3_601);
  });

  it("gives no age to a point that was not restored, or that nobody knows", () => {
    const planned = { takenAt: "2026-11-21T08:00:00Z", goals: { dataAgeSeconds: 7_200 } };
    const adopted = { at: own(0), entry, did: "adopted", up: "p1", machine: "1", why: "named" } as const;
    const cases: readonly Case[] = [
      { planned, events: [adopted, listed("1"), ended()] },
      { planned: { ...planned, point: "11" } },
    ];
    for (const one of cases) assert.equal(judged(one).goals[0]?.result, "not measured");
  });
});
