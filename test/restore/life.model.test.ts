import assert from "node:assert/strict";
import fc from "fast-check";
import { thorough } from "../support/thorough";
import { VirtualClock } from "../support/virtual-clock";
import { ModelEngine } from "./support/model-engine";
import {
  goodFate,
  type Fate,
  type Manners,
  type Outcome,
  PanelAtWork,
  type Part,
  plainManners,
} from "./support/panel-at-work";

/**
 * Runs that are killed anywhere, on panels that list late, fail, lose answers and do other people's work, followed by calm. The
 * engine's and the panel's side are models; the life of a restore, the feed, the driver of waits and the client are the real ones. The model
 * itself asserts, at every POST and every stored record, that nothing is posted twice and nothing is said that is not so.
 */

const second = 1000;
const minute = 60 * second;

const outcome: fc.Arbitrary<Outcome> = fc.constantFrom("complete", "complete", "failed", "cancelled");
const runsForMs = fc.constantFrom(5 * second, 40 * second, 2 * minute);

const manners: fc.Arbitrary<Manners> = fc
  .record({
    tie: fc.constantFrom("associated", "alias", "target", "log"),
    ids: fc.constantFrom("decimal", "lettered"),
    parts: fc.constantFrom("one", "at once"),
    tells: fc.constantFrom("nothing", "point"),
    lateMs: fc.constantFrom(0, 3 * second, 25 * second, 55 * second).map((ms) => [ms]),
    queuesForMs: fc.constantFrom(0, 5 * second, minute),
    answersAfterMs: fc.constantFrom(0, 0, 700),
    skewMs: fc.constantFrom(0, -90 * minute, 5 * minute),
  })
  .map((some) => ({ ...plainManners, link: "both", ...some }));

const fate: fc.Arbitrary<Fate> = fc.oneof(
  fc.record({
    answer: fc.constantFrom("good", "lost"),
    carriedOut: fc.constant(true),
    landsAfterMs: fc.constantFrom(0, 0, 2 * second, 9 * second),
    outcome,
    runsForMs,
  }),
  fc.constantFrom("refused", "lost").map((answer) => ({ ...goodFate, answer, carriedOut: false })),
);

const step = fc.record({
  /** Other people's work begun before this run. */
  others: fc.array(
    fc.record(
      {
        machine: fc.constantFrom("42", "43"),
        kind: fc.constantFrom("VmRestore" as const, "backup" as const),
        point: fc.constantFrom("1001", "9999"),
        outcome,
        runsForMs,
      },
      { requiredKeys: ["machine", "kind", "outcome", "runsForMs"] },
    ),
    { maxLength: 2 },
  ),
  /** Never, at once, or somewhere in between. */
  killAfterMs: fc.option(fc.oneof(fc.nat(5 * second), fc.nat(3 * minute)), { freq: 4 }),
  outage: fc.option(
    fc.record({ fromMs: fc.nat(2 * minute), forMs: fc.constantFrom(5 * second, 50 * second, 4 * minute) }),
    { freq: 2 },
  ),
  pauseMs: fc.constantFrom(0, 0, second, minute, 7 * 60 * minute),
});

const story = fc.record({
  manners,
  restores: fc.array(fc.record({ machine: fc.constantFrom("42", "42", "43"), wait: fc.boolean() }), {
    minLength: 1,
    maxLength: 3,
  }),
  maxConcurrent: fc.option(fc.constantFrom(1, 2)),
  fates: fc.array(fate, { maxLength: 6 }),
  steps: fc.array(step, { minLength: 1, maxLength: 4 }),
});

type Story = typeof story extends fc.Arbitrary<infer T> ? T : never;

async function live({ manners: how, restores, maxConcurrent, fates, steps }: Story): Promise<ModelEngine> {
  const clock = VirtualClock.ofLives();
  const panel = new PanelAtWork(clock, how);
  panel.fates = [...fates];
  // Somebody's backups of long ago: a list is rarely empty, and where only identifiers tell, these explain them.
  if (fates.length !== 1) {
    for (const machine of ["42", "43"]) panel.order({ machine, kind: "backup" }, "panel", "complete", 0);
    await clock.advance(10 * minute);
  }
  const engine = new ModelEngine(panel, restores, maxConcurrent ?? undefined);

  for (const { others, killAfterMs, outage, pauseMs } of steps) {
    for (const { outcome: ending, runsForMs: ms, ...order } of others) panel.order(order, "person", ending, ms);
    if (outage) clock.after(outage.fromMs, () => (panel.downUntil = clock.now() + outage.forMs));
    const process = engine.newProcess();
    const run = engine.up(process);
    let ended = false;
    const note = (): void => {
      ended = true;
    };
    run.then(note, note);
    if (killAfterMs !== null) {
      await clock.advance(killAfterMs);
      if (!ended) {
        process.ended = true;
        clock.forget(process);
      }
    }
    if (!process.ended) await clock.run(run, 24 * 60 * minute);
    await clock.advance(pauseMs);
  }

  await calm(engine, panel, clock);
  return engine;
}

/** Nothing disturbs any more. Every restore comes to be complete, by runs alone or by what its last error says to do. */
async function calm(engine: ModelEngine, panel: PanelAtWork, clock: VirtualClock): Promise<void> {
  panel.fates = [];
  await clock.advance(20 * minute);
  for (let round = 0; round < 12; round++) {
    for (let run = 0; run < 2; run++) await clock.run(engine.up(engine.newProcess()), 24 * 60 * minute);
    await clock.advance(minute);
    const open = engine.declared.filter(
      ({ record, plan: request }) => record?.status !== "complete" && (request.wait || !isUnderWay(record?.status)),
    );
    if (open.length === 0) return;
    for (const one of open) {
      if (one.lastError === undefined) continue;
      // Every end that a further run alone does not change names its way out.
      assert.match(
        one.lastError,
        /adopt: "|change triggers|until triggers change|the next `pulumi up` (tries|posts)|The next `pulumi up`/i,
      );
      const named = /adopt: "<transaction id>"|adopt: "[^"<]+"/.test(one.lastError);
      const good = named ? (one.record?.transactionIds ?? []).find((id) => isGood(panel.part(id))) : undefined;
      if (good !== undefined) {
        const result = await clock.run(engine.adopt(one, good));
        assert.equal(result.kind, "good", JSON.stringify(result));
      } else engine.startAnew(one);
    }
  }
  assert.fail(
    `no way forward: ${engine.declared.map(({ name, record, lastError }) => `${name} ${record?.status ?? "-"} ${lastError ?? ""}`).join("; ")}`,
  );
}

/** `wait: false`: posted is as far as its runs go. */
function isUnderWay(status: string | undefined): boolean {
  return status === "accepted" || status === "pending" || status === "running";
}

function isGood(part: Part | undefined): boolean {
  return part?.isRestore === true && part.work.parts.every(({ status }) => status === "complete");
}

describe("the life of restores, killed anywhere, on panels of every manner", () => {
  it("posts once, says only what is so, and always finds a way forward", async function () {
    this.timeout(120_000);
    await fc.assert(
      fc.asyncProperty(story, async (told) => {
        await live(told);
      }),
      {
        numRuns: Number(process.env["MODEL_RUNS"] ?? thorough(300, 600)),
        seed: Number(process.env["MODEL_SEED"] ?? 20261121),
        endOnFailure: process.env["MODEL_SHRINK"] === undefined,
      },
    );
  });
});
