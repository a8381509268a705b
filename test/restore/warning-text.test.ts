import assert from "node:assert/strict";
import { warnOnce, warningText, warningTexts } from "../../provider/restore/messages";
import type { Warning } from "../../provider/restore/result";

const alike = (...transactionIds: string[]): Warning => ({ kind: "indistinguishable", transactionIds });
const unrecognized: Warning = { kind: "unrecognized status", status: "warn" };

describe("a warning that is stored", () => {
  it("stands there once, though a run before this one has stored it and this one has reason for it as well", () => {
    const kept: Warning = { kind: "stored", text: warningText(unrecognized) };
    assert.deepEqual(warningTexts([kept, alike("1"), unrecognized]), [kept.text, warningText(alike("1"))]);
  });
});

describe("a warning on the restore's row", () => {
  const scene = (...known: Warning[]) => {
    const said: string[] = [];
    return { said, say: warnOnce({ warn: (text) => said.push(text) }, known) };
  };

  it("is said when it first comes, and again when it has more to say", () => {
    const { said, say } = scene();
    say([]);
    say([alike("1", "2")]);
    say([alike("1", "2"), unrecognized]);
    say([unrecognized, alike("1", "2", "3")]);
    assert.deepEqual(said, [alike("1", "2"), unrecognized, alike("1", "2", "3")].map(warningText));
  });

  it("is not said again when it was known from the beginning, as data or as a text of the state", () => {
    const { said, say } = scene(
      { kind: "stored", text: warningText(unrecognized) },
      { kind: "taken", transactionId: "1" },
    );
    say([{ kind: "stored", text: warningText(unrecognized) }, { kind: "taken", transactionId: "1" }, unrecognized]);
    assert.deepEqual(said, []);
  });
});
