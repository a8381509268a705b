import { readFileSync } from "node:fs";
import assert from "node:assert/strict";
import { toMarkdown } from "../../../cli/ready/markdown";
import type { ReadyResult } from "../../../cli/ready/result";
import { printReady } from "../../../cli/ready/table";
import { stackOf, type Played } from "../../report/support/restores";
import { picture, pictureFile } from "../support/ready-picture";
import { runReady } from "../support/run-ready";

const ids = Array.from({ length: 40 }, (_, index) => 300 + index);

/** Forty machines with long names; one of them is gone, one has lost its point, and one is told by a rule. */
async function forty(): Promise<ReadyResult> {
  const restores = ids.map((id, index): Played => ({
    name: index % 5 === 0 ? `mail-relay-frankfurt-cluster-${String(id)}` : `vm-${String(id)}`,
    machine: id,
    point: 7_000 + id,
    requested: 0,
    ran: 60,
    transaction: String(id),
    ...(index === 7 && {
      outputs: { recoveryPoint: { pick: "newest", before: "2027-01-01T00:00:00Z", within: 604_800 } },
    }),
    ...(index === 9 && { status: "failed" }),
  }));
  const machines = ids
    .slice(1)
    .map((id) => ({ id, recoveryPoints: [{ id: id === 311 ? 9_999 : 7_000 + id, ageSeconds: 3_600 }] }));
  return (
    await runReady({ state: stackOf(restores), asked: { goalAgeSeconds: 86_400 }, panel: { scenario: { machines } } })
  ).ready;
}

describe("ready: what a terminal shows", () => {
  it("is one row for each restore and no line too long, at any width", async () => {
    const ready = await forty();
    for (const columns of [60, 80, 100, 120, 200]) {
      const lines = printReady(ready, { columns, colours: "plain" });
      assert.deepEqual(
        lines.filter((line) => Array.from(line).length > columns),
        [],
        String(columns),
      );
      const rows = lines.filter((line) => /^ (!!|\?\?|ok) /.test(line));
      assert.equal(rows.length, 40);
      assert.deepEqual(rows.map((line) => line.slice(1, 3)).slice(0, 4), ["!!", "!!", "!!", "ok"]);
      if (columns >= 80) assert.ok(lines.length <= 40 + 10, `${String(lines.length)} lines`);
    }
  });

  it("has few words at 80 columns, and sentences at 200", async () => {
    const ready = await forty();
    const at = (columns: number): string => printReady(ready, { columns, colours: "plain" }).join("\n");
    assert.match(at(80), /^ !! {2}mail-relay….*ster-300 +300 +7300 +– +– +machine unknown$/m);
    assert.match(at(80), /^ ok {2}vm-307 +307 +7307, newest +1h +23h$/m);
    assert.match(at(200), /The panel knows no machine 300, or does not show it to this user\.$/m);
    assert.match(at(200), /7307, the newest before 2027-01-01T00:00:00Z, within 7d/);
    assert.match(at(80), /^ → vm-311: the point is gone\. Name another one, or let a rule choose it:$/m);
    assert.match(at(80), /^3 of 40 restores are not ready \(!!\)\. \d+ GETs, nothing posted\.$/m);
  });

  it("is the picture of its page", async () => {
    assert.equal(await picture(), readFileSync(pictureFile, "utf8"), "npx ts-node test/cli/support/ready-picture.ts");
  });

  it("is a table for a job's summary, in which no text is markup", async () => {
    const ready = await forty();
    const markdown = toMarkdown(ready);
    assert.match(
      markdown,
      /^### ❌ Ready\? drill: not ready\n\n3 of 40 restores are not ready\. \d+ GETs, nothing posted\.\n/,
    );
    assert.equal(markdown.match(/^\| (❌|✅) \|/gm)?.length, 40);
    const [first] = ready.restores;
    const hostile = toMarkdown({ ...ready, restores: [{ ...first!, name: "a|b <img src=x> [x](http://y)" }] });
    assert.ok(!/<img|\]\(/.test(hostile) && !/a\|b/.test(hostile));
  });

  it("says so where nothing counts", async () => {
    const ready = await forty();
    const none = printReady(
      {
        ...ready,
        restores: [],
        counts: { ready: 0, notReady: 0, cannotBeTold: 0, known: 0 },
        verdict: "cannot be told",
      },
      { columns: 80, colours: "plain" },
    );
    assert.match(none.join("\n"), /This state has no restore of https:\/\/panel\.example\.com\./);
  });
});
