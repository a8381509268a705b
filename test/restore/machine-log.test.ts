import assert from "node:assert/strict";
import type { Read } from "../../provider/feed/feed";
import { notAbove } from "../../provider/restore/machine-log";
import type { Row } from "../../provider/rows/order";

it("a machine's log reaches back to the mark if it names a transaction that the list shows at or below the mark, even if ids are not numbers", () => {
  const pages = [["newest", "marked"], ["older"]].map((ids) => ids.map((id) => ({ id }) as unknown as Row));
  const read = { pages, rows: pages.flat(), order: "pages", isWhole: false } as unknown as Read;
  const isBack = notAbove(read, { panel: "p", ended: ["marked"] });
  const ids = ["newest", "marked", "older", "not listed"];
  assert.deepEqual(ids.map(isBack), [false, true, true, false]);
});
