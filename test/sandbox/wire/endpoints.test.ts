import assert from "node:assert/strict";
import { VirtualClock } from "../../support/virtual-clock";
import { ask, filesLine, withSandbox } from "../support/ask";

for (const [format, good, wrong] of [
  [
    "json",
    '{"paths":["/etc/a&b","/var/ü"]}',
    { "": /not JSON/, '{"paths":"/a"}': /array/, '{"paths":[]}': /blank/, '{"paths":["etc"]}': /start with a slash/ },
  ],
  [
    "xml",
    '<?xml version="1.0"?>\n<paths type="array">\n <path>/etc/a&amp;b</path><path>/var/&#xfc;</path></paths>',
    {
      "<paths><path>/a</path></paths>": /not an XML element/,
      '<paths type="array"/>': /blank/,
      '<paths type="array"><file>/a</file></paths>': /something other than path/,
      '<!DOCTYPE p><paths type="array"><path>/a</path></paths>': /not an XML element/,
    },
  ],
] as const)
  it(`the sandbox's file endpoint restores the files that a ${format} body names, and rejects every invalid body`, () =>
    withSandbox({ clock: new VirtualClock() }, async (sandbox) => {
      const post = (body: string) => ask(sandbox.url, filesLine.replace("json", format), { body });
      for (const [body, problem] of Object.entries(wrong)) {
        const { status, text } = await post(body);
        assert.equal(status, 422, body);
        assert.match(text.replaceAll(/&(apos|#39);/g, "'"), problem);
      }
      assert.equal((await post(good)).status, 201);
      const restored = sandbox.restores().map(({ kind, machineId, recoveryPointId, paths }) => {
        return [kind, machineId, recoveryPointId, paths];
      });
      assert.deepEqual(restored, [["files", "42", "1007", ["/etc/a&b", "/var/ü"]]]);
    }));
