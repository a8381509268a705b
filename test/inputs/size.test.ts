import assert from "node:assert/strict";
import { outputsOf, StoredFailure } from "../../provider/engine/outputs";
import { readPaths, readTriggers } from "../../provider/inputs/read-values";
import type { RestoreRecord } from "../../provider/inputs/record";
import { approximateBytes, type Properties } from "../../provider/plain/plain";

/** The engine closes the connection when a trailer exceeds 16 MB, and trailers are sent in base64. */
const mostInTrailer = ((16 * 1024 * 1024) / 4) * 3;

const record: RestoreRecord = { status: "failed", transactionIds: ["5012"], adopted: false, warnings: [] };
const failureOf = (inputs: Properties, failed: RestoreRecord, reason: string): StoredFailure =>
  new StoredFailure("5012", outputsOf(inputs, failed), reason);

describe("the size of what is stored after a failure", () => {
  it("stays within the limit for a gRPC trailer, even with the longest log and the largest valid inputs, which are sent twice", () => {
    const paths = Array.from({ length: 10_000 }, (_, at) => `/${String(at)}/`.padEnd(187, "x"));
    const triggers = Array.from({ length: 82_000 }, () => 1);
    assert.ok("value" in readPaths(paths) && "value" in readTriggers(triggers));
    const inputs = { paths, triggers, __intent: { madeFor: { paths, triggers } } };
    const failure = failureOf(inputs, { ...record, logOutput: "€".repeat(1_000_000) }, "x".repeat(1_000_000));
    const weight = approximateBytes(failure.properties, Infinity) + approximateBytes(failure.message, Infinity);
    assert.ok(weight < mostInTrailer, `${String(weight)} bytes`);
  });

  it("does not grow with the length of the panel's text", () => {
    const long = "x".repeat(10_000_000);
    const failure = failureOf({}, { ...record, action: long, requestedAt: long, warnings: [long] }, long);
    assert.ok(approximateBytes(failure.properties, Infinity) < 10_000);
    assert.equal(failure.message.length, 20_000);
  });
});
