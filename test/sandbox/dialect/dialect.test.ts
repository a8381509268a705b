import assert from "node:assert/strict";
import { VirtualClock } from "../../support/virtual-clock";
import { ask, restoreLine, withSandbox } from "../support/ask";

const machine = { machines: [{ id: 42 }] };

for (const format of ["json", "xml"]) {
  it(`the sandbox's dialect shows, in the bare preset, only what every panel must show (${format})`, () =>
    withSandbox({ clock: new VirtualClock(), dialect: "bare", scenario: machine }, async ({ url }) => {
      const inFormat = async (line: string) => {
        const { status, text } = await ask(url, line.replace(".json", `.${format}`));
        return [status, text.replace(/^<\?xml.*\?>/, "").replaceAll(/\n */g, "")];
      };
      const written = (inJson: string, inXml: string) => [200, format === "json" ? inJson : inXml];
      assert.deepEqual(await inFormat("GET /transactions.json"), written("[]", '<transactions type="array"/>'));
      assert.deepEqual(await inFormat(restoreLine), [201, ""]);
      for (const [path, inJson, inXml] of [
        [
          "transactions.json/page/1/per_page/20",
          '[{"id":5000,"status":"pending"}]',
          '<transactions type="array"><transaction><id type="integer">5000</id><status>pending</status></transaction></transactions>',
        ],
        [
          "transactions.json?detailed",
          '[{"id":5000,"status":"pending","log_output":""}]',
          '<transactions type="array"><transaction><id type="integer">5000</id><status>pending</status><log_output></log_output></transaction></transactions>',
        ],
        [
          "virtual_machines/42/logs.json",
          '[{"id":20000,"text":"restore_backup: pending"}]',
          '<log_items type="array"><log_item><id type="integer">20000</id><text>restore_backup: pending</text></log_item></log_items>',
        ],
      ] as const)
        assert.deepEqual(await inFormat(`GET /${path}`), written(inJson, inXml));
      assert.equal((await inFormat("GET /virtual_machines/42/backups/recovery_points.json"))[0], 404);
    }));
}
