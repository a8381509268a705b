import assert from "node:assert/strict";
import { web } from "../stage";
import { chained, onTrap, type Trap } from "../trap";

/** When a restore fails, the panel cancels the start that follows. */
const chain: Trap = {
  row: chained,
  parts: (end) => [
    { end },
    { action: "startup_virtual_machine", seconds: 30, end: end === "failed" ? "cancelled" : end },
  ],
};
/** The panel numbers a chain's parts in reverse, with the start first. */
const startFirst: Trap = { row: chained, parts: (end) => chain.parts!(end, "").toReversed() };

describe("a failed restore after which the panel cancelled the machine's start", () => {
  for (const [what, how] of Object.entries<Trap>({
    "in the order of execution": chain,
    "with the start first, all in the same second": startFirst,
    "in no particular order on a page": { ...chain, isShuffled: true },
  }))
    it(`is stored as failed and repeated by the next \`up\` (parts listed ${what})`, async () => {
      const stage = onTrap(how, { restoreSeconds: 60 });
      await stage.upFailing();
      assert.deepEqual(stage.statuses(), ["failed"]);
      await stage.completes(2);
    });
});

/** The last row in the chain ends before the restore's own row. */
const network: Trap = { row: chained, parts: (end) => [{ end }, { action: "configure_network", seconds: 20 }] };

it("a restore that waits for a job with several rows names that job's unfinished row, both while it waits and when timeouts.busy is exceeded", async () => {
  const stage = onTrap(network, { declared: [{ ...web, timeouts: { run: 60 } }], restoreSeconds: 600 });
  await stage.up();
  stage.change(0, { point: "1009", timeouts: { busy: 120 } });
  const { errors, progress } = await stage.up();
  const text = [...progress, ...errors.values()].join("\n");
  assert.doesNotMatch(text, /(waiting for|was not sent:) transaction \[?132\]? \(configure_network, complete/);
});
