import assert from "node:assert/strict";
import * as fc from "fast-check";
import { sanitized, type Operations } from "../../provider/engine/sanitize";
import { resourceIdOf, outputsOf, StoredFailure } from "../../provider/engine/outputs";
import type { CheckResult } from "../../provider/inputs/check-restore";
import type { RestoreRecord } from "../../provider/inputs/record";
import type { Properties } from "../../provider/plain/plain";
import { freshProcess } from "./support/fresh-process";

const { vmRestore, fileRestore, intent } = freshProcess();

/** Texts as a panel, a stored state or a program may contain them, and as they may not reach the engine. */
const wild = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
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
const properties = fc.dictionary(wild, data, { maxKeys: 6 }) as fc.Arbitrary<Properties>;

const record: fc.Arbitrary<RestoreRecord> = fc.record(
  {
    status: fc.constantFrom("complete", "failed", "cancelled", "sent", "pending", "running"),
    transactionId: wild,
    transactionIds: fc.array(wild, { maxLength: 3 }),
    action: wild,
    requestedAt: wild,
    startedAt: wild,
    finishedAt: wild,
    adopted: fc.boolean(),
    warnings: fc.array(wild, { maxLength: 3 }),
    logOutput: wild,
    failedPart: wild,
    mark: fc.record({ panel: wild, newestId: wild, takenAt: wild, ended: fc.array(wild), others: fc.array(wild) }),
  },
  { requiredKeys: ["status", "transactionIds", "adopted", "warnings"] },
);

/** The texts that the engine's protocol carries and its terminal prints. */
function assertHarmless(value: unknown, at = "answer"): void {
  if (typeof value === "string") {
    assert.ok(!value.includes("<{%"), `${at} would be taken for a colour: ${JSON.stringify(value)}`);
    assert.equal(Buffer.from(value, "utf8").toString("utf8"), value, `${at} holds half a character`);
    return;
  }
  if (value === null || typeof value === "boolean" || typeof value === "number") return;
  assert.equal(typeof value, "object", `${at} is ${typeof value}`);
  for (const [key, inner] of Object.entries(value as object)) {
    assertHarmless(key, `a name in ${at}`);
    assertHarmless(inner, `${at}.${key}`);
  }
}

/** Operations that return what the test gives them. */
function answering(answer: () => unknown): Operations {
  const soon = () => Promise.resolve().then(answer) as Promise<never>;
  const now = () => answer() as never;
  return sanitized({ check: now, diff: now, create: soon, update: soon, read: soon, delete: soon });
}

async function thrownBy(
  work: () => unknown,
): Promise<{ id?: string; properties?: object; reasons?: string[] } & Error> {
  try {
    await work();
  } catch (error) {
    assert.ok(error instanceof Error);
    return error;
  }
  return assert.fail("should have thrown");
}

describe("the sanitized operations of a resource", () => {
  it("return no answer that would crash the engine or get lost", async () => {
    await fc.assert(
      fc.asyncProperty(wild, properties, async (id, given) => {
        const operations = answering(() => ({ id, outs: given, props: given }));
        for (const answer of [
          await operations.create({}),
          await operations.update("1", {}, {}),
          await operations.read("1", {}),
        ]) {
          assertHarmless(answer);
        }
      }),
    );
  });

  it("throw no failure whose id, properties or reasons would crash the engine", async () => {
    await fc.assert(
      fc.asyncProperty(wild, properties, record, fc.array(wild), async (id, inputs, known, reasons) => {
        for (const failure of [id, resourceIdOf(known)].map(
          (storedId) => new StoredFailure(storedId, outputsOf(inputs, known), reasons),
        )) {
          const operations = answering(() => {
            throw failure;
          });
          const error = await thrownBy(() => operations.create({}));
          assertHarmless({
            id: error.id,
            properties: error.properties,
            reasons: error.reasons,
            message: error.message,
          });
          assert.ok(error.reasons?.every((reason) => !/(?![\n\t])\p{Cc}/u.test(reason)));
        }
      }),
    );
  });

  it("clean inputs in the same way as answers, so that a stored text equals the program's text", () => {
    fc.assert(
      fc.property(fc.array(data, { maxLength: 3 }), (triggers) => {
        const inputs = { virtualMachineId: "42", recoveryPointId: "7", triggers, __provider: "text" };
        const vm = vmRestore;
        const news = checked(vm, inputs).inputs;
        assertHarmless(news);
        const stored = { ...inputs, status: "complete", transactionIds: ["5010"] };
        assert.deepEqual(vm.diff("5010", stored, news), { changes: false });
        assert.deepEqual(intent.diff("i", { ...inputs, intentId: "i" }, checked(intent, inputs).inputs), {
          changes: false,
        });
      }),
      { examples: [[[{ "<{%": "", "<{ %": undefined }]]] },
    );
  });

  it("return no problem whose property or value the engine cannot print", () => {
    const name = fc.oneof(
      wild,
      fc.constantFrom("virtualMachineId", "recoveryPointId", "paths", "timeouts", "wait", "adopt"),
    );
    fc.assert(
      fc.property(fc.dictionary(name, data), (news) => {
        for (const provider of [vmRestore, fileRestore, intent]) {
          const { inputs, failures } = checked(provider, news);
          assertHarmless(inputs);
          for (const { property, reason } of failures) {
            assertHarmless({ property, reason });
            if (property !== "") assertHarmless(withoutUndefined(news[property]));
            assert.ok(reason !== "");
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});

/** A check that logs nothing answers at once. */
const checked = ({ check }: Pick<Operations, "check">, news: unknown): CheckResult => check({}, news) as CheckResult;

function withoutUndefined(value: unknown): unknown {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as unknown);
}
