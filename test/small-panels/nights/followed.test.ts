import assert from "node:assert/strict";
import type { Declared } from "../../support/program";
import { files, web } from "../stage";
import { bare, named, onTrap, type Trap } from "../trap";

/** Ways in which a run leaves a file restore running after the whole machine's restore is complete. */
const left: Readonly<Record<string, { readonly files?: Partial<Declared>; readonly isKilled?: true }>> = {
  "with wait: false": { files: { wait: false } },
  "after timeouts.run": { files: { timeouts: { run: 30 } } },
  "by a killed run": { isKilled: true },
};

describe("a restore of a machine on which an earlier run's file restore is still running", () => {
  for (const [rows, row] of Object.entries<Trap["row"]>({ "id and status": bare, "a machine": named }))
    for (const [how, { files: more, isKilled }] of Object.entries(left))
      for (const [what, change] of Object.entries({ point: { point: "1009" }, trigger: { generation: 1 } }))
        // After a killed run, a restore with new triggers is sent at once (docs/how-it-works.md#limits).
        if (isKilled === undefined || what === "point")
          it(`is not sent until the file restore has ended, even with a new ${what} (left running ${how}, rows with ${rows})`, async () => {
            const stage = onTrap({ row }, { declared: [web, { ...files, ...more }], restoreSeconds: 300 });
            await (isKilled ? stage.killed(3_000, 2) : stage.up());
            assert.equal(stage.posted.length, 2);
            stage.change(0, change);
            await stage.up();
            assert.ok(stage.gaps[1]! >= 300, `sent ${String(stage.gaps[1])} s after the files`);
          });

  it("is not sent while a killed run's unrecorded restore may be running, and the error says so", async () => {
    const stage = onTrap({ row: bare }, { declared: [web, files], restoreSeconds: 300 });
    await stage.up();
    stage.change(0, { generation: 1 });
    await stage.killed(1_000);
    stage.change(0, { point: "1009", timeouts: { busy: 0 } });
    const text = await stage.said();
    assert.match(text, /133 .* may come from an earlier `pulumi up` that left no record, .*change triggers\./);
    assert.equal(stage.posted.length, 3);
  });
});
