import fc from "fast-check";
import type { Fields, Plain } from "./wire";

/** Text that XML can carry: no control characters but tab, line feed and carriage return, no half characters. */
const xmlText = fc
  .string({ unit: "binary", maxLength: 20 })
  // eslint-disable-next-line no-control-regex -- these are the characters that XML has no way to write
  .map((text) => text.replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Cs}/gu, ""))
  .map((text) => text.normalize());

const hardText = fc.oneof(
  xmlText,
  fc.constantFrom(
    "",
    " ",
    "a\r\nb",
    "\u{1F600}",
    ..."]]>,<b>&amp;</b>,&#65;,&lt;,true,null,007,1e5,-->,<!--".split(","),
  ),
);

/** Integers of any size as JSON number tokens would have them, small ones as numbers. */
const wholeNumber = fc.oneof(fc.integer({ min: 0 }), fc.integer());
export const bigNumber = fc.bigInt({ min: 2n ** 53n, max: 2n ** 80n });

const stamp = fc
  .date({ min: new Date("2010-01-01T00:00:00Z"), max: new Date("2040-01-01T00:00:00Z"), noInvalidDate: true })
  .chain((date) => fc.constantFrom(date.toISOString(), `${date.toISOString().slice(0, 19)}+03:00`));

const maybe = (value: fc.Arbitrary<Plain>): fc.Arbitrary<Plain> => fc.option(value, { nil: null });
const word = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/).filter((name) => !name.endsWith("_at"));
/** An element name as a parameter may have it, some of them names that objects are born with. */
const paramName = fc.oneof(word, fc.constantFrom("constructor", "toString", "hasOwnProperty", "prototype", "valueOf"));

/** What a free-form parameter may hold; an empty object has no XML form of its own outside `params`. */
const paramValue = fc.letrec<{ value: Plain }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    maybe(hardText),
    wholeNumber,
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Object.is(n, -0) && !Number.isInteger(n)),
    fc.boolean(),
    fc.dictionary(paramName, tie("value"), { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
    fc.array(fc.oneof(hardText, wholeNumber), { maxLength: 3 }),
  ),
})).value;

export const transactionFields: fc.Arbitrary<Fields> = fc.record<Record<string, Plain>>(
  {
    id: fc.oneof(wholeNumber, fc.stringMatching(/^[a-z0-9]{1,14}$/)),
    identifier: maybe(fc.stringMatching(/^[a-z0-9]{0,14}$/)),
    action: maybe(hardText),
    status: maybe(fc.constantFrom("pending", "running", "complete", "failed", "Cancelled", "odd word")),
    parent_id: maybe(wholeNumber),
    parent_type: maybe(fc.constantFrom("VirtualMachine", "Storage::Repair", "")),
    associated_object_id: maybe(wholeNumber),
    associated_object_type: maybe(hardText),
    dependent_transaction_id: maybe(wholeNumber),
    chain_id: maybe(fc.oneof(wholeNumber, fc.stringMatching(/^[a-z0-9]{1,9}$/))),
    lock_version: maybe(wholeNumber),
    params: maybe(fc.dictionary(paramName, paramValue, { maxKeys: 4, noNullPrototype: true })),
    log_output: maybe(
      fc.oneof(
        hardText,
        xmlText.map((text) => `  ${text}\n${text}  `),
      ),
    ),
    user_id: maybe(wholeNumber),
    actor: maybe(hardText),
    pid: maybe(wholeNumber),
    priority: maybe(wholeNumber),
    allowed_cancel: maybe(fc.boolean()),
    scheduled: maybe(fc.boolean()),
    created_at: maybe(stamp),
    updated_at: maybe(stamp),
    start_after: maybe(stamp),
    started_at: maybe(stamp),
    finished_at: maybe(stamp),
    field_of_a_later_version: maybe(hardText),
  },
  { requiredKeys: ["id"], noNullPrototype: true },
);

export const logItemFields: fc.Arbitrary<Fields> = fc.record<Record<string, Plain>>(
  {
    id: wholeNumber,
    action: maybe(hardText),
    status: maybe(fc.constantFrom("Complete", "Warn", "pending")),
    target_id: maybe(wholeNumber),
    target_type: maybe(fc.constantFrom("Transaction", "Alert")),
    created_at: maybe(stamp),
    updated_at: maybe(stamp),
    resource_diff_id: maybe(fc.oneof(wholeNumber, fc.stringMatching(/^[a-f0-9]{1,24}$/))),
    resource_diff_ids: maybe(fc.array(fc.oneof(wholeNumber, fc.stringMatching(/^[a-f0-9]{1,24}$/)), { maxLength: 3 })),
    other: maybe(hardText),
  },
  { requiredKeys: ["id"], noNullPrototype: true },
);
