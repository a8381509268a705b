import assert from "node:assert/strict";
import { type Dialect, dialects } from "../../../sandbox";
import { resolveDialect } from "../../../sandbox/dialect/presets";
import { VirtualClock } from "../../support/virtual-clock";
import { ask, restoreLine, withSandbox } from "../support/ask";

type Row = Readonly<Record<string, unknown>>;

const machine = { machines: [{ id: 42 }] };

async function rowsOf(url: string, path = "/transactions.json/per_page/100"): Promise<readonly Row[]> {
  const rows = (await ask(url, `GET ${path}`)).json as readonly Row[];
  return rows.map((row) => (row["transaction"] ?? row["log_item"]) as Row);
}

/** What each value of each switch shows is in `switches.golden.txt`. */
describe("the sandbox's dialect", () => {
  const [startup, restore, stop] = ["startup_virtual_machine", "restore_backup", "stop_virtual_machine"];
  const chains: Readonly<Record<Dialect["chain"], readonly unknown[]>> = {
    single: [[restore, null, null]],
    chain: [
      [startup, 900, 5001],
      [restore, 900, 5000],
      [stop, 900, null],
    ],
    dependentOnly: [
      [startup, null, 5001],
      [restore, null, 5000],
      [stop, null, null],
    ],
    chainOnly: [
      [startup, 900, null],
      [restore, 900, null],
      [stop, 900, null],
    ],
  };
  for (const [chain, expected] of Object.entries(chains) as [Dialect["chain"], readonly unknown[]][]) {
    it(`chain: ${chain}`, () =>
      withSandbox({ dialect: { chain }, scenario: machine }, async ({ url }) => {
        await ask(url, restoreLine);
        const rows = await rowsOf(url);
        assert.deepEqual(
          rows.map((row) => [row["action"], row["chain_id"], row["dependent_transaction_id"]]),
          expected,
        );
      }));
  }

  it("listingDelaySeconds: a restore appears late, below what came meanwhile", async () => {
    const clock = new VirtualClock();
    const scenario = { ...machine, background: { perSecond: 1 } };
    await withSandbox({ clock, dialect: { listingDelaySeconds: 3 }, scenario }, async ({ url }) => {
      const ids = async (): Promise<readonly unknown[]> => (await rowsOf(url)).map((row) => row["id"]);
      const logged = async (): Promise<number> => (await rowsOf(url, "/virtual_machines/42/logs.json")).length;
      await ask(url, restoreLine);
      assert.deepEqual([await ids(), await logged()], [[], 0]);
      await clock.advance(2999);
      assert.deepEqual(await ids(), [5002, 5001]);
      await clock.advance(1);
      assert.deepEqual([await ids(), await logged()], [[5003, 5002, 5001, 5000], 1]);
    });
  });

  it("has presets, and in the awkward one everything differs from the plain one that may without a setting", () => {
    const same = Object.entries(dialects.plain).filter(([name, value]) => {
      return dialects.awkward[name as keyof Dialect] === value;
    });
    assert.deepEqual(Object.fromEntries(same), {
      // What only the bare dialect changes.
      rows: "full",
      logTie: "transaction",
      pageOrder: "newestFirst",
      // A row left pending keeps its machine for ever, and a list sorted anew for every page costs what it is long.
      restOfChain: "cancelled",
      sortedBy: "created",
      whenLocked: "queue",
      // Without a list, without zones and among other machines' points nothing can be chosen.
      pointList: "listed",
      pointTime: "zone",
      pointMachines: "own",
    });
    assert.deepEqual(resolveDialect({ preset: "modern", pageCap: 7 }), { ...dialects.modern, pageCap: 7 });
  });

  for (const format of ["json", "xml"]) {
    it(`the bare preset gives what SPEC.md shows and nothing else, ${format}`, () =>
      withSandbox({ clock: new VirtualClock(), dialect: "bare", scenario: machine }, async ({ url }) => {
        const inFormat = async (line: string) => {
          const { status, text } = await ask(url, line.replace(".json", `.${format}`));
          return [status, text.replace(/^<\?xml.*\?>/, "").replaceAll(/\n */g, "")];
        };
        const written = (inJson: string, inXml: string) => [200, format === "json" ? inJson : inXml];
        assert.deepEqual(await inFormat("GET /transactions.json"), written("[]", '<transactions type="array"/>'));
        assert.deepEqual(await inFormat(restoreLine), [201, ""]);
        assert.deepEqual(
          await inFormat("GET /transactions.json/page/1/per_page/20"),
          written(
            '[{"id":5000,"status":"pending"}]',
            '<transactions type="array"><transaction><id type="integer">5000</id><status>pending</status></transaction></transactions>',
          ),
        );
        assert.deepEqual(
          await inFormat("GET /transactions.json?detailed"),
          written(
            '[{"id":5000,"status":"pending","log_output":""}]',
            '<transactions type="array"><transaction><id type="integer">5000</id><status>pending</status><log_output></log_output></transaction></transactions>',
          ),
        );
        assert.deepEqual(
          await inFormat("GET /virtual_machines/42/logs.json"),
          written(
            '[{"id":20000,"text":"restore_backup: pending"}]',
            '<log_items type="array"><log_item><id type="integer">20000</id><text>restore_backup: pending</text></log_item></log_items>',
          ),
        );
        assert.equal((await inFormat("GET /virtual_machines/42/backups/recovery_points.json"))[0], 404);
      }));
  }

  it("can change while the panel runs, but for the ids", () =>
    withSandbox({}, async (sandbox) => {
      sandbox.setDialect({ wrapping: "bare" });
      assert.match((await ask(sandbox.url, "GET /transactions.json")).text, /^\[\{"id":/);
      assert.throws(() => {
        sandbox.setDialect({ idStyle: "big" });
      }, /idStyle/);
    }));
});
