import assert from "node:assert/strict";
import { planOf, restore } from "../../drills/engine/support/plan-lab";
import { bare, chained, named, refusing, stamped, trap, type Trap, wrapped } from "../trap";
import { PlanOnStage } from "./plan-on-stage";

const plan = (more: object = {}) => planOf({ data: { db: restore("42", "1007", more) } });
const textOf = async (up: Promise<readonly string[] | undefined>): Promise<string> => (await up)?.join("\n") ?? "";

const panels = { "id and status": bare, "a machine": named, timestamps: stamped };
const kill = (after: number) => ({ kill: { at: "after a POST", after } }) as const;

/** Checks that the plan's next restore is sent only after this POST's restore, which takes 400 s, has ended. */
async function waitsFor(post: number, stack: PlanOnStage, changed: object): Promise<void> {
  assert.deepEqual(await stack.up(changed), []);
  assert.ok((stack.gaps[post] ?? 0) > 400, stack.gaps.join());
}

async function isSentAtOnce(stack: PlanOnStage, changed: object, mostSeconds = 90): Promise<void> {
  const began = stack.time.now();
  const posts = stack.stage.posted.length;
  assert.deepEqual(await stack.up(changed), []);
  const seconds = ((stack.stage.postedAt[posts] ?? Infinity) - began) / 1_000;
  assert.ok(seconds < mostSeconds, `after ${String(seconds)} s`);
}

describe("a restore in a plan's next run", () => {
  const db = restore("42", "1007", { timeouts: { busy: "8m" } });
  const run = (name: string) => planOf({ data: { db } }, { run: name });
  const isSearchedFor = /^ {2}db: run Q2: machine 42 .*; first checks whether a restore was already sent$/m;
  for (const [rows, row] of Object.entries(panels)) {
    it(`is not sent while a killed run's restore is running, even if a run in between could not send it (rows with ${rows})`, async () => {
      const stack = new PlanOnStage(trap({ row }), 900);
      await stack.up(run("Q1"), kill(0));
      assert.match(await textOf(stack.up(run("Q2"))), /transaction 131 .*did not end within timeouts\.busy/);
      await stack.up(run("Q3"));
      assert.equal(stack.gaps.length, 1);
      assert.ok((stack.gaps[0] ?? 0) > 900, stack.gaps.join());
    });

    it(`is not sent while a killed run's second attempt is running (rows with ${rows})`, async () => {
      const stack = new PlanOnStage(trap({ row }), 400);
      await stack.upFailing(run("Q1"));
      await stack.up(run("Q1"), kill(0));
      await waitsFor(1, stack, run("Q2"));
      assert.match(stack.warnings.join("\n"), isSearchedFor);
    });
  }

  const moves: Readonly<Record<string, (isMoved: boolean) => Parameters<typeof planOf>[0]>> = {
    "it stays in its wave": () => ({ data: { db } }),
    "the wave is renamed": (isMoved) => ({ [isMoved ? "databases" : "data"]: { db } }),
    "it moves to a later wave": (isMoved) => (isMoved ? { data: {}, front: { db } } : { data: { db }, front: {} }),
    "it moves to an earlier wave": (isMoved) => (isMoved ? { data: { db }, front: {} } : { data: {}, front: { db } }),
  };
  for (const [what, waves] of Object.entries(moves)) {
    const moved = (name: string, isMoved = true) => planOf(waves(isMoved), { run: name });
    for (const [rows, row] of Object.entries(panels))
      it(`is not sent while a killed run's restore is running, and is then sent at once, if ${what} (rows with ${rows})`, async () => {
        const stack = new PlanOnStage(trap({ row }), 400);
        await stack.up(moved("Q1", false), kill(0));
        await waitsFor(0, stack, moved("Q2"));
        assert.match(stack.warnings.join("\n"), /db: .*machine 42 .*; first checks whether a restore was already sent/);
        await stack.time.advance(60_000);
        await isSentAtOnce(stack, moved("Q3"));
        const verdict = row === bare ? "passed with warnings" : "passed";
        assert.deepEqual([stack.stage.posted.length, stack.verdict?.verdict], [3, verdict]);
      });
  }

  /** A plan that restores a machine and, in a later wave, its files. */
  const sharing = (name: string, more: object = {}) =>
    planOf(
      { data: { db: { ...db, ...more } }, front: { files: restore("42", "1008", { paths: ["/etc"] }) } },
      { run: name },
    );

  for (const [rows, row] of Object.entries(panels))
    it(`is not sent while a later wave of a killed run is still restoring the same machine (rows with ${rows})`, async () => {
      const stack = new PlanOnStage(trap({ row }), 400);
      await stack.up(sharing("Q1"), kill(1));
      await stack.time.advance(20_000);
      await waitsFor(1, stack, sharing("Q2"));
    });

  it("is sent again with new triggers only once a killed run's later restore of the machine has ended, even if rows have only ids and statuses", async () => {
    const stack = new PlanOnStage(trap({ row: bare }), 400);
    await stack.up(sharing("Q1"), kill(1));
    await stack.up(sharing("Q1", { triggers: [1] }));
    assert.ok((stack.gaps[1] ?? 0) > 400, stack.gaps.join());
  });

  it("is sent at once after a complete run if it moves to a later wave, even while other users keep the panel busy", async () => {
    const stack = new PlanOnStage(trap({ row: bare }), 20);
    stack.stage.othersWork(45_000);
    assert.deepEqual(await stack.up(planOf({ data: { db }, front: {} }, { run: "Q1" })), []);
    await stack.time.advance(600_000);
    await isSentAtOnce(stack, planOf({ data: {}, front: { db } }, { run: "Q2" }), 130);
  });

  /** A plan with another machine's restore in the first wave. */
  const inFront = (name: string, front: Readonly<Record<string, object>> = { db }) =>
    planOf({ data: { other: restore("43", "1008") }, front }, { run: name });

  for (const before of [true, false])
    it(`is sent at once after a kill if ${before ? "only an earlier run" : "no run"} has reached its wave`, async () => {
      const stack = new PlanOnStage(trap({ row: bare }), 20);
      if (before) assert.deepEqual(await stack.up(inFront("Q1")), []);
      await stack.up(inFront("Q2"), kill(0));
      await stack.time.advance(3_600_000);
      assert.deepEqual(await stack.up(inFront("Q3")), []);
      assert.ok((stack.gaps.at(-1) ?? 0) < 130, stack.gaps.join());
    });

  it("is searched for after a kill even if it was missing from its wave in a run in between", async () => {
    const stack = new PlanOnStage(trap({ row: bare }), 400);
    await stack.up(inFront("Q1"), kill(1));
    await stack.up(inFront("Q2", {}), kill(0));
    await stack.up(inFront("Q3"));
    const [, second = 0, third = 0, fourth = 0] = stack.gaps;
    assert.ok(second + third + fourth > 400, stack.gaps.join());
  });

  it("is sent at once after a complete run if two waves share its machine", async () => {
    const stack = new PlanOnStage(trap({ row: bare }), 20);
    for (const name of ["Q1", "Q2", "Q3"]) assert.deepEqual(await stack.up(sharing(name)), []);
    assert.ok(Math.max(...stack.gaps) < 130, stack.gaps.join());
  });

  it("is sent at once if the previous run eventually completed with another point", async () => {
    const stack = new PlanOnStage(trap({ row: bare }), 20);
    await stack.upFailing(run("Q1"));
    const corrected = (name: string) => planOf({ data: { db: restore("42", "1009") } }, { run: name });
    assert.deepEqual(await stack.up(corrected("Q1")), []);
    await isSentAtOnce(stack, corrected("Q2"));
  });

  for (const machine of ["42", "43"])
    it(`is sent at once if the previous run rejected a change to its ${machine === "42" ? "point" : "machine"}`, async () => {
      const stack = new PlanOnStage(trap({ row: bare }), 20);
      const changed = (name: string) => planOf({ data: { db: restore(machine, "1009") } }, { run: name });
      await stack.up(run("Q1"));
      assert.match(await textOf(stack.up(changed("Q1"))), /would restore .* again|cannot restore .* in this run/);
      await isSentAtOnce(stack, changed("Q2"));
    });

  it("is searched for if a killed `up` sent it after its change had been rejected only because of another restore", async () => {
    const stack = new PlanOnStage(trap({ row: named }));
    const data = (point: string, more: object = {}) => ({ db: restore("42", "1007", more), web: restore("43", point) });
    const again = (point: string, run = "Q1") => planOf({ data: data(point, { triggers: [1] }) }, { run });
    await stack.up(planOf({ data: data("1008") }));
    assert.match(await textOf(stack.up(again("1009"))), /would restore machine 43 again/);
    await stack.up(again("1008"), kill(0));
    assert.deepEqual(await stack.up(again("1008", "Q2")), []);
    assert.match(stack.warnings.join("\n"), isSearchedFor);
    assert.match(stack.warnings.join("\n"), /^ {2}web: run Q2: machine 43 from recovery point 1008$/m);
  });

  it("makes `up` ask the user within minutes after a failure if rows have only ids and statuses, even while other users keep the panel busy", async () => {
    const stack = new PlanOnStage(trap({ row: bare }), 20);
    stack.stage.othersWork(45_000);
    await stack.upFailing(run("Q1"));
    await stack.time.advance(3_600_000);
    const began = stack.time.now();
    assert.match(await textOf(stack.up(run("Q2"))), /restore "db".*nothing was sent.*change triggers/s);
    const minutes = (stack.time.now() - began) / 60_000;
    assert.ok(minutes < 8, String(minutes));
    assert.equal(stack.stage.posted.length, 1);
    const sure = planOf({ data: { db: restore("42", "1007", { triggers: ["nothing runs"] }) } }, { run: "Q2" });
    await stack.up(sure);
    assert.equal(stack.stage.posted.length, 2);
  });
});

describe("a failed planned restore", () => {
  const at = (point: string, triggers: readonly string[] = []) =>
    planOf({ data: { db: restore("42", point, { triggers }) } });
  for (const [rows, row] of Object.entries(panels)) {
    it(`makes \`up\` ask the user, and keeps its run from passing, when somebody has restored the machine since (rows with ${rows})`, async () => {
      const stack = new PlanOnStage(trap({ row }), 60);
      await stack.upFailing(at("1007"));
      await stack.time.advance(10 * 60_000);
      stack.stage.panel.work("42", "restore");
      await stack.time.advance(120_000);
      for (const [point, verdict] of [
        ["1007", "failed"],
        ["1009", "incomplete"],
      ] as const) {
        assert.match(await textOf(stack.up(at(point))), /so nothing was sent.*adopt: "132".*change triggers/s);
        assert.deepEqual([stack.verdict?.verdict, stack.stage.posted.length], [verdict, 1]);
      }
      assert.match(
        stack.warnings.join("\n"),
        /\n {2}db: point changed: .* 1009; first checks whether a restore was already sent/,
      );
    });

    it(`makes \`up\` ask the user when the next run was killed and the point is then corrected (rows with ${rows})`, async () => {
      const stack = new PlanOnStage(trap({ row }), 400);
      await stack.upFailing(at("1007"));
      await stack.up(at("1007"), kill(0));
      assert.match(await textOf(stack.up(at("1009"))), /failed before \(transaction 131\), and this job may have/);
      assert.equal(stack.stage.posted.length, 2);
      assert.deepEqual(await stack.up(at("1009", ["over it"])), []);
      assert.equal(stack.stage.posted.length, 3);
    });

    it(`is sent again, with a warning if rows name machines, after a killed run's second attempt has failed too (rows with ${rows})`, async () => {
      const stack = new PlanOnStage(trap({ row }), 60);
      await stack.upFailing(at("1007"));
      stack.stage.failing.add("42");
      await stack.up(at("1007"), kill(0));
      await stack.time.advance(120_000);
      stack.stage.failing.clear();
      assert.deepEqual(await stack.up(at("1007")), []);
      const warned = /db: .*failed before this attempt, and may have been an earlier attempt: transaction 132 /;
      assert.deepEqual([stack.stage.posted.length, warned.test(stack.reasons)], [3, row !== bare]);
    });
  }
});

it("a file restore is not taken for a killed run's restore of other files that has changed since, even twice", async () => {
  const stack = new PlanOnStage(trap({ row: stamped }));
  const [logs, www] = [restore("42", "1007", { paths: ["/var/log"] }), restore("42", "1007", { paths: ["/srv"] })];
  const files = (more: object) => planOf({ data: { logs: { ...logs, ...more }, www } });
  await stack.up(files({}), kill(0));
  await stack.time.advance(120_000);
  const asked = /"www" .* so nothing was sent: the panel lists this job/;
  assert.match(await textOf(stack.up(files({ recoveryPointId: "1008" }))), asked);
  await stack.upFailing(files({ triggers: [1] }));
  assert.match(await textOf(stack.up(files({ triggers: [2] }))), asked);
});

it("a killed run's machine restore is adopted although the path of the machine's files, which follow it, is corrected", async () => {
  const stack = new PlanOnStage(trap({ row: stamped }));
  const plan = (path: string) =>
    planOf({ data: { db: restore("42", "1007"), files: restore("42", "1007", { paths: [path] }) } });
  await stack.up(plan("/ect"), kill(0));
  await stack.time.advance(120_000);
  assert.equal(await textOf(stack.up(plan("/etc"))), "");
  assert.equal(stack.stage.posted.length, 2);
});

describe("a planned restore that was first rejected and then sent by a killed `up`", () => {
  const db = restore("42", "1007");
  const changes: Readonly<Record<string, (isChanged: boolean) => Parameters<typeof planOf>[0]>> = {
    "its point is corrected": (isChanged) => ({ data: { db: restore("42", isChanged ? "1009" : "1007") } }),
    "it is renamed": (isChanged) => ({ data: { [isChanged ? "database" : "db"]: db } }),
    "it is moved to another wave": (isChanged) => ({ data: isChanged ? {} : { db }, front: isChanged ? { db } : {} }),
  };
  for (const [what, waves] of Object.entries(changes))
    for (const [rows, row] of Object.entries(panels))
      it(`is not sent again while it is running, even if ${what} (rows with ${rows})`, async () => {
        const { make, accept } = refusing({ row }, { status: 409 });
        const stack = new PlanOnStage(make, 400);
        assert.match(await textOf(stack.up(planOf(waves(false)))), /was refused by the panel/);
        accept();
        await stack.up(planOf(waves(false)), kill(0));
        await waitsFor(0, stack, planOf(waves(true)));
      });
});

describe("a planned restore that the panel rejected", () => {
  it("is sent at once after it moves to the right wave and gets new triggers", async () => {
    const { make, accept } = refusing({ row: bare }, { status: 409 });
    const stack = new PlanOnStage(make);
    assert.match(await textOf(stack.up(planOf({ data: {}, front: { db: restore("42", "1007") } }))), /was refused/);
    accept();
    const moved = { db: restore("42", "1007", { triggers: ["never sent"] }) };
    await isSentAtOnce(stack, planOf({ data: moved, front: {} }));
  });

  it("is sent at once after its machine is corrected", async () => {
    const make = wrapped({ row: named }, ({ method, path }, usual) =>
      method === "POST" && path.includes("/24/") ? { status: 404 } : usual(),
    );
    const stack = new PlanOnStage(make);
    const of = (machine: string) => planOf({ data: { db: restore(machine, "1007") } }, { lookUp: false });
    assert.match(await textOf(stack.up(of("24"))), /was refused by the panel/);
    await isSentAtOnce(stack, of("42"));
    assert.match(stack.warnings.join("\n"), /^1 of 1 will be restored: db /m);
  });
});

it("in a new run after a killed run, the recovery times of two machines include no waits if their restores are searched for at the same time", async () => {
  const stack = new PlanOnStage(trap({ row: bare }));
  const of = (run: string) => planOf({ data: { db: restore("42", "1007"), web: restore("43", "1008") } }, { run });
  await stack.up(of("Q1"), kill(1));
  await stack.time.advance(600_000);
  assert.deepEqual(await stack.up(of("Q2")), []);
  assert.deepEqual([stack.stage.posted.length, stack.verdict?.verdict], [4, "passed with warnings"]);
  assert.doesNotMatch(stack.reasons, /includes waits/);
});

it("in a new run after a killed run, two restores of one machine wait only once for restores that the killed run may have sent", async () => {
  const stack = new PlanOnStage(trap({ row: named }));
  const of = (run: string) => {
    const files = restore("42", "1008", { paths: ["/etc"] });
    return planOf({ data: { db: restore("42", "1007"), files } }, { run });
  };
  await stack.up(of("Q1"), kill(0));
  await stack.time.advance(600_000);
  assert.deepEqual(await stack.up(of("Q2")), []);
  assert.ok(stack.gaps[1]! < 120, stack.gaps.join());
});

it("a failed restore of the wrong machine is kept while the right machine is restored under another name, as the errors about other edits advise", async () => {
  const stack = new PlanOnStage(trap({ row: named }));
  const [db, right, front] = [restore("42", "1007"), restore("44", "1007"), { web: restore("43", "1007") }];
  await stack.upFailing(planOf({ data: { db }, front }));
  assert.match(
    await textOf(stack.up(planOf({ data: { db: right }, front }))),
    /db cannot restore machine 44 in this run: a restore of machine 42 was sent for it, or may have been \(transaction 131\)\. Change db back and add a restore of machine 44 under another name; to give up on a failed restore, set retryFailed: false \(it is not sent again\) and onFailure: "continue" \(the later waves start\)/,
  );
  assert.match(
    await textOf(stack.up(planOf({ data: { right }, front }))),
    /db cannot be removed, renamed or moved in this run: a restore of machine 42 was sent for it, or may have been/,
  );
  const data = { db: { ...db, retryFailed: false }, right };
  await stack.up(planOf({ data, front }, { onFailure: "continue" }));
  assert.match(
    stack.warnings.join("\n"),
    /1 of 2 will be restored: right \(not sent yet\); 1 of 2 left as is: db\n {2}right: .*\n {2}db: transaction 131 failed, and retryFailed is false: set new triggers to restore it again/,
  );
  assert.deepEqual(
    stack.stage.posted.map(({ machine }) => machine),
    ["42", "44", "43"],
  );
  assert.deepEqual([stack.verdict?.verdict, stack.reasons.includes("db failed (transaction 131)")], ["failed", true]);
});

describe("a file restore after a machine restore that failed or exceeded its limit", () => {
  const of = (more: object = {}) => {
    const files = restore("42", "1008", { paths: ["/etc"] });
    return planOf({ data: { db: restore("42", "1007", more), files } });
  };
  /** The seconds from db's second POST to the POST for the files. */
  const gapOf = (stack: PlanOnStage): number => stack.gaps[1] ?? Infinity;

  it("is sent right after the machine restore's next attempt, because that attempt followed a search", async () => {
    const stack = new PlanOnStage(trap({ row: named }));
    await stack.upFailing(of());
    assert.deepEqual(await stack.up(of()), []);
    assert.ok(gapOf(stack) < 90, stack.gaps.join());
  });

  it("waits only for the rest of the quiet time after the machine restore's last POST if new triggers skip the search", async () => {
    const stack = new PlanOnStage(trap({ row: named }), 120);
    await stack.upFailing(of());
    assert.deepEqual(await stack.up(of({ triggers: ["again"] })), []);
    assert.ok(gapOf(stack) >= 149 && gapOf(stack) < 190, stack.gaps.join());
  });

  it("is sent right after the machine restore if that restore was still running", async () => {
    const stack = new PlanOnStage(trap({ row: named }), 300);
    assert.match(await textOf(stack.up(of({ timeouts: { run: 60 } }))), /did not end within timeouts\.run/);
    assert.deepEqual(await stack.up(of()), []);
    assert.ok((stack.gaps[0] ?? Infinity) < 390, stack.gaps.join());
  });

  for (const [rows, row] of Object.entries(panels))
    it(`is not sent again if a killed \`up\` saw the machine restore complete and then sent the file restore (rows with ${rows})`, async () => {
      const stack = new PlanOnStage(trap({ row }), 300);
      await stack.up(of({ timeouts: { run: 60 } }));
      await stack.up(of(), kill(0));
      for (let time = 0; time < 3; time++) await stack.up(of());
      assert.equal(stack.stage.posted.length, 2, stack.gaps.join());
    });

  const again: Readonly<Record<string, object>> = { "has new triggers": { triggers: ["again"] }, "is unchanged": {} };
  for (const [what, more] of Object.entries(again))
    for (const [rows, row] of Object.entries(panels))
      for (const seconds of [20, 400])
        it(`is not sent again if a killed \`up\` sent it and the plan ${what} (rows with ${rows}, restores that take ${String(seconds)} s)`, async () => {
          const stack = new PlanOnStage(trap({ row }), seconds);
          await stack.upFailing(of());
          await stack.up(of(), kill(1));
          for (let time = 0; time < 3; time++) await stack.up(of(more));
          assert.equal(stack.stage.posted.filter(({ point }) => point === "1008").length, 1, stack.gaps.join());
        });
});

describe("adopt in a plan", () => {
  const inChain: Trap = {
    row: chained,
    parts: (end) => [{}, { action: "startup_virtual_machine", seconds: 25, end }],
  };
  /** The restore is complete, but its machine does not start. */
  const withoutStart = async (): Promise<PlanOnStage> => {
    const stack = new PlanOnStage(trap(inChain));
    assert.match(await stack.upFailing(plan()), /transaction 132 in the same job .*t adopt: "131", or change triggers/);
    return stack;
  };
  const story = (stack: PlanOnStage): unknown[] => [stack.verdict?.verdict, stack.stage.posted.length];

  it("completes the restore, with a warning, if its machine did not start but has since been repaired", async () => {
    const stack = await withoutStart();
    assert.match(await textOf(stack.up(plan())), /set adopt: "131", or set new triggers to restore it again/);
    assert.deepEqual(await stack.up(plan({ adopt: "131" })), []);
    assert.deepEqual(story(stack), ["passed with warnings", 1]);
    assert.match(stack.reasons, /adopted transaction 131, named in adopt.*in a job with transaction 132 .*failed/);
    const { requests } = stack.stage;
    assert.deepEqual(await stack.up(plan({ adopt: "131" })), []);
    assert.deepEqual([...story(stack), stack.stage.requests], ["passed with warnings", 1, requests]);
  });

  it("accepts the new outcome after the panel has run the failed part again", async () => {
    const stack = await withoutStart();
    stack.stage.panel.work("42", "run again");
    assert.deepEqual(await stack.up(plan({ adopt: "131" })), []);
    assert.deepEqual(story(stack), ["passed with warnings", 1]);
    assert.doesNotMatch(stack.reasons, /repair/);
  });

  for (const [rows, row] of Object.entries(panels))
    it(`is suggested after the first of two failed attempts is rerun, although the second then counts as overwriting it: rows with ${rows}`, async () => {
      const stack = new PlanOnStage(trap({ row }));
      stack.stage.failing.add("42");
      await stack.up(plan());
      await stack.up(plan());
      stack.stage.failing.clear();
      stack.stage.panel.work("42", "run the first again");
      assert.match(await textOf(stack.up(plan())), /adopt: "131"/);
      assert.equal(stack.stage.posted.length, 2);
      assert.match(await textOf(stack.up(plan({ adopt: "131" }))), /db was overwritten by db \(transaction 132\)/);
      assert.deepEqual(story(stack), ["incomplete", 2]);
      assert.deepEqual(await stack.up(plan({ triggers: ["again"] })), []);
      assert.deepEqual(story(stack), ["passed with warnings", 3]);
    });

  const nextRun = (more: object = {}) => planOf({ data: { db: restore("42", "1007", more) } }, { run: "Q2" });
  /** The restore has failed, and somebody has restored the machine right away, so that it is unknown which of the two this restore was. */
  const withTwoOutcomes = async (row: Trap["row"]): Promise<PlanOnStage> => {
    const stack = new PlanOnStage(trap({ row }));
    stack.stage.failing.add("42");
    const up = stack.up(plan());
    stack.time.after(65_000, () => {
      stack.stage.failing.clear();
      stack.stage.panel.work("42", "restore");
    });
    assert.match(await textOf(up), /cannot be judged: .*adopt: "13[12]".*change triggers to restore again/s);
    return stack;
  };

  for (const [rows, row] of Object.entries(panels)) {
    it(`is not needed if new triggers or a new run restore the machine again, as the question says (rows with ${rows})`, async () => {
      for (const again of [plan({ triggers: ["again"] }), nextRun()]) {
        const stack = await withTwoOutcomes(row);
        assert.deepEqual(await stack.up(again), []);
        assert.equal(stack.stage.posted.length, 2);
        assert.doesNotMatch(stack.warnings.join("\n"), /cannot be judged/);
      }
    });

    it(`sends nothing when it names the job that failed, then accepts the job that is complete, but not in the next run (rows with ${rows})`, async () => {
      const stack = await withTwoOutcomes(row);
      assert.match(await textOf(stack.up(plan({ adopt: "131" }))), /transaction 131 ended in failure/);
      assert.deepEqual(story(stack), ["failed", 1]);
      assert.match(await textOf(stack.up(plan({ adopt: "131" }))), /adopt: "132"/);
      assert.equal(stack.stage.posted.length, 1);
      assert.deepEqual(await stack.up(plan({ adopt: "132" })), []);
      assert.doesNotMatch(stack.warnings.join(), /has no effect/);
      assert.deepEqual(story(stack), ["passed with warnings", 1]);
      assert.match(await textOf(stack.up(nextRun({ adopt: "132" }))), /132, .* not adopted: it belongs .* earlier run/);
    });
  }

  it("waits for the transaction that it names if the restore did not end within its limit", async () => {
    for (const row of [bare, named]) {
      const stack = new PlanOnStage(trap({ row }), 120);
      const timeouts = { run: 30 };
      assert.match(await textOf(stack.up(plan({ timeouts }))), /timeouts\.run \(30s\)/);
      assert.deepEqual(await stack.up(plan({ timeouts: { run: 600 }, adopt: "131" })), []);
      assert.deepEqual(story(stack), ["passed with warnings", 1]);
    }
  });

  it("has no effect on a complete restore, and causes a warning that says so", async () => {
    const stack = new PlanOnStage(trap({ row: named }));
    await stack.up(plan());
    stack.stage.panel.work("42", "restore");
    await stack.time.advance(60_000);
    assert.deepEqual(await stack.up(plan({ adopt: "132" })), []);
    assert.match(stack.warnings.join(), /db: adopt: "132" has no effect, because this restore is complete/);
    assert.doesNotMatch(stack.reasons, /adopted|failed/);
    assert.deepEqual(story(stack), ["passed with warnings", 1]);
  });
});

for (const [rows, row] of Object.entries(panels))
  it(`a planned restore that a killed \`up\` may have sent is previewed as perhaps sent, even after an attempt to remove it from the plan (rows with ${rows})`, async () => {
    const stack = new PlanOnStage(trap({ row }), 60);
    const db = restore("42", "1007");
    const web = restore("43", "1008");
    const both = planOf({ data: { db }, front: { web } });
    await stack.up(both, kill(1));
    assert.match((await stack.up(planOf({ data: { db }, front: {} })))?.join() ?? "", /Keep web in/);
    await stack.up(both);
    assert.match(
      stack.warnings.join("\n"),
      /^1 of 1 will be restored unless already sent: web \(perhaps sent\)\n {2}web: perhaps sent: .*; first checks whether/m,
    );
  });
