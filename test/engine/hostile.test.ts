import assert from "node:assert/strict";
import * as fc from "fast-check";
import { OnStage } from "../small-panels/stage";
import type { Shown } from "../small-panels/taste";
import { named, trap } from "../small-panels/trap";
import { calm, type Declared } from "../support/program";
import type { RunEnd } from "../support/stack";
import { freshProcess } from "./support/fresh-process";

const { vmRestore, fileRestore, intent } = freshProcess();

/** Text that a panel, a stored state or a program may contain, but that must not reach the engine. */
const wild = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code)) }),
  fc.constantFrom("<{%fg 1%}>", "<<{%{%", "a\ud800b", "\udc00", "<{%", "😀", "<{ %", "\u001b[2J", ""),
  fc
    .array(fc.constantFrom("<", "{", "%", "}", ">", "\ud83d", "\ude00", " "), { maxLength: 12 })
    .map((parts) => parts.join("")),
);
const data = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    wild,
    fc.constantFrom(undefined, null, true, 0, 1.5),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(wild, tie("value"), { maxKeys: 4 }),
  ),
})).value;

/** Asserts that every string can be carried by the engine's protocol and printed on the engine's terminal. */
function assertHarmless(value: unknown, at = "answer"): void {
  if (typeof value === "string") {
    assert.ok(!value.includes("<{%"), `${at} would be read as a color: ${JSON.stringify(value)}`);
    assert.equal(Buffer.from(value, "utf8").toString("utf8"), value, `${at} contains half a character`);
    return;
  }
  if (value === null || typeof value === "boolean" || typeof value === "number") return;
  assert.equal(typeof value, "object", `${at} is ${typeof value}`);
  for (const [key, inner] of Object.entries(value as object)) {
    assertHarmless(key, `a name in ${at}`);
    assertHarmless(inner, `${at}.${key}`);
  }
}

describe("text that would crash the engine", () => {
  it("in the panel's rows is never stored or reported by create, update or read", async () => {
    const hostile = "<{%fg 1%}> a\ud800b \udc00<{% \u001b[2J";
    const row = (job: Shown) => ({
      ...named(job),
      ...(job.hasEnded && { action: `${job.action} ${hostile}`, log_output: hostile }),
      ...(job.status === "failed" && { error: hostile }),
      ...(job.hasEnded && job.machine === "46" && { status: hostile }),
    });
    const brief = { ...calm, timeouts: { run: 600 } };
    const waitless = { ...brief, wait: false };
    const of = (one: Declared, ...machines: string[]) => machines.map((machine) => ({ ...one, machine }));
    const declared = [...of(brief, "42", "43"), ...of(waitless, "44", "45", "46")];
    const stage = new OnStage(trap({ row }), "json", { declared });
    const look = ({ errors }: RunEnd, hostileOnes: number): void => {
      // Text that is only printed on the terminal is not checked here, because the engine's log cleans it.
      for (const one of [...stage.engine.state, ...errors.values()]) assertHarmless(JSON.parse(JSON.stringify(one)));
      for (const text of errors.values()) assert.doesNotMatch(text, /(?![\n\t])\p{Cc}/u);
      assert.equal(JSON.stringify(stage.engine.state).split("<{ %fg 1%}>").length - 1 >= hostileOnes, true);
    };
    stage.failing.add("43");
    look(await stage.up(), 2);
    assert.deepEqual(stage.statuses().slice(0, 2), ["complete", "failed"]);
    await stage.time.advance(60_000);
    for (const restore of [2, 4]) stage.change(restore, { wait: true });
    look(await stage.up({ target: [2, 4] }), 3);
    look(await stage.refresh(), 4);
  });

  it("is removed from inputs in the same way as from the provider's responses, so stored inputs still equal the program's inputs", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(data, { maxLength: 3 }), async (triggers) => {
        const inputs = { virtualMachineId: "42", recoveryPointId: "7", triggers, __provider: "text" };
        const news = (await vmRestore.check({}, inputs)).inputs;
        assertHarmless(news);
        const stored = { ...inputs, status: "complete", transactionIds: ["5010"] };
        assert.deepEqual(await vmRestore.diff("5010", stored, news), { changes: false });
        const ofIntent = (await intent.check({}, inputs)).inputs;
        assert.deepEqual(await intent.diff("i", { ...inputs, intentId: "i" }, ofIntent), { changes: false });
      }),
      { examples: [[[{ "<{%": "", "<{ %": undefined }]]] },
    );
  });

  it("never appears in the property, value or reason of a check failure, even if an input contains it", async () => {
    const name = fc.oneof(
      wild,
      fc.constantFrom("virtualMachineId", "recoveryPointId", "paths", "timeouts", "wait", "adopt"),
    );
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, data), async (news) => {
        for (const provider of [vmRestore, fileRestore, intent]) {
          const { inputs, failures } = await provider.check({}, news);
          assertHarmless(inputs);
          for (const { property, reason } of failures) {
            assertHarmless({ property, reason });
            const value = news[property];
            if (property !== "" && value !== undefined) assertHarmless(JSON.parse(JSON.stringify(value)));
            assert.ok(reason !== "");
          }
        }
      }),
      { numRuns: 300 },
    );
    const { failures } = await vmRestore.check({}, { virtualMachineId: { id: ["42"] }, recoveryPointId: "1007" });
    assert.equal(failures[0]?.property, "virtualMachineId");
  });
});
