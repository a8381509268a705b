import assert from "node:assert/strict";
import { VirtualClock } from "../../support/virtual-clock";
import { ask, filesLine, restoreLine, withSandbox } from "../support/ask";

describe("the sandbox's endpoints", () => {
  for (const format of ["json", "xml"]) {
    it(`restores a machine and files, ${format}`, async () => {
      const clock = new VirtualClock();
      await withSandbox({ clock }, async (sandbox) => {
        const point = "/virtual_machines/42/backups/recovery_points/1007";
        const body =
          format === "json"
            ? '{"paths":["/etc/a&b","/var/ü"]}'
            : '<?xml version="1.0"?>\n<paths type="array">\n <path>/etc/a&amp;b</path><path>/var/&#xfc;</path></paths>';
        assert.equal((await ask(sandbox.url, `POST ${point}/restore.${format}`)).status, 201);
        assert.equal((await ask(sandbox.url, `POST ${point}/file_entries.${format}`, { body })).status, 201);
        await clock.advance(60_000);
        assert.deepEqual(
          sandbox.restores().map(({ kind, machineId, recoveryPointId, paths, status }) => {
            return { kind, machineId, recoveryPointId, paths, status };
          }),
          [
            { kind: "machine", machineId: "42", recoveryPointId: "1007", paths: undefined, status: "complete" },
            {
              kind: "files",
              machineId: "42",
              recoveryPointId: "1007",
              paths: ["/etc/a&b", "/var/ü"],
              status: "complete",
            },
          ],
        );
      });
    });
  }

  for (const credentials of [null, "operator:wrong", "other:sandbox"]) {
    it(`refuses ${credentials === null ? "no credentials" : `the credentials "${credentials}"`}`, () =>
      withSandbox({}, async (sandbox) => {
        for (const line of ["GET /transactions.json", restoreLine]) {
          const { status, headers } = await ask(sandbox.url, line, { credentials });
          assert.equal(status, 401);
          assert.match(String(headers["www-authenticate"]), /^Basic realm=/);
        }
        assert.equal(sandbox.acceptedPosts(), 0);
      }));
  }

  for (const [format, body, problem] of [
    ["json", "", /not JSON/],
    ["json", '{"paths":"/a"}', /must be an array/],
    ["json", '{"paths":[]}', /can't be blank/],
    ["json", '{"paths":["etc"]}', /start with a slash/],
    ["xml", "<paths><path>/a</path></paths>", /not an XML element/],
    ["xml", '<paths type="array"/>', /can't be blank/],
    ["xml", '<paths type="array"><file>/a</file></paths>', /something other than path/],
    ["xml", '<!DOCTYPE p><paths type="array"><path>/a</path></paths>', /not an XML element/],
  ] as const) {
    it(`refuses the ${format} body ${body === "" ? "of no characters" : body}`, () =>
      withSandbox({}, async (sandbox) => {
        const { status, text } = await ask(sandbox.url, filesLine.replace("json", format), { body });
        assert.equal(status, 422);
        assert.match(text.replaceAll(/&(apos|#39);/g, "'"), problem);
        assert.equal(sandbox.acceptedPosts(), 0);
      }));
  }
});
