import assert from "node:assert/strict";
import { endsPolling, isLogUnreadable } from "../../provider/restore/poller";
import { credentials, forbidden, serverError, timedOut } from "./support/panel-errors";

describe("a look that failed", () => {
  const table: readonly [name: string, error: Error, inARow: number, ends: boolean][] = [
    ["a failing server, the first time", serverError(), 1, false],
    ["a failing server, for hours", serverError(), 1000, false],
    ["refused credentials, at once", credentials(), 1, true],
    ["a missing permission, the first time", forbidden(), 1, false],
    ["a missing permission, the second time", forbidden(), 2, false],
    ["a missing permission, the third time", forbidden(), 3, true],
    ["an error that is no answer", new Error("read ECONNRESET"), 50, false],
    ["a status that is no number", Object.assign(new Error("odd"), { status: "401" }), 50, false],
  ];
  for (const [name, error, failuresInARow, ends] of table) {
    it(`${name}: ${ends ? "ends the wait" : "means nothing"}`, () => {
      assert.equal(endsPolling({ error, failuresInARow }), ends);
    });
  }
});

describe("a machine's log that could not be read", () => {
  const table: readonly [name: string, error: Error, inARow: number, unreadable: boolean][] = [
    ["a failing server, twice", serverError(), 2, false],
    ["a failing server, three times", serverError(), 3, true],
    ["a missing permission, after the client's own tries", forbidden(), 1, true],
    ["a time-out", timedOut(), 1, false],
    ["a time-out, for hours", timedOut(), 1000, false],
    ["an error that is no answer, three times", new Error("read ECONNRESET"), 3, true],
  ];
  for (const [name, error, failuresInARow, unreadable] of table) {
    it(`${name}: ${unreadable ? "has nothing to tell" : "is asked again"}`, () => {
      assert.equal(isLogUnreadable({ error, failuresInARow }), unreadable);
    });
  }
});
