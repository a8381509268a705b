import assert from "node:assert/strict";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import fc from "fast-check";
import { createSandbox, type PanelResponse, type SandboxPanel } from "../../../sandbox";

const login = `Basic ${Buffer.from("operator:sandbox").toString("base64")}`;

function ask(panel: SandboxPanel, method: string, path: string, body = ""): Promise<PanelResponse> {
  return panel.handle({ method, path, headers: { authorization: login }, body });
}

const anyText = fc.string({ unit: "binary", maxLength: 30 });
/** What XML can carry, and a path may hold. */
const xmlText = fc.string({ unit: "grapheme", maxLength: 30 }).filter((text) => !/[\p{C}\uFFFE\uFFFF]/u.test(text));

/** Of which paths are made. */
const words =
  "/ transactions .json .xml virtual_machines 42 logs backups recovery_points 1007 restore file_entries page per_page 2 999999999 ? & = % %2e".split(
    " ",
  );

describe("what the sandbox writes and reads", () => {
  it("is JSON that says the same, whatever the text", () =>
    fc.assert(
      fc.asyncProperty(anyText, async (action) => {
        const panel = createSandbox();
        panel.addTransaction({ machineId: 42, action });
        const rows = JSON.parse((await ask(panel, "GET", "/transactions.json")).body) as Record<
          string,
          { action: string }
        >[];
        assert.equal(rows[0]?.["transaction"]?.action, action);
      }),
    ));

  it("is well-formed XML whatever the text, and says the same where XML can", () =>
    fc.assert(
      fc.asyncProperty(anyText, xmlText, async (anything, action) => {
        const panel = createSandbox();
        panel.addTransaction({ machineId: 42, action });
        panel.addTransaction({ machineId: 42, action: anything });
        const { body } = await ask(panel, "GET", "/transactions.xml?detailed");
        assert.equal(XMLValidator.validate(body), true);
        const parser = new XMLParser({ trimValues: false, parseTagValue: false, htmlEntities: true });
        const rows = (parser.parse(body) as { transactions: { transaction: { action: string }[] } }).transactions;
        assert.equal(rows.transaction[1]?.action, action);
      }),
    ));

  it("is never an error of its own, whatever it is asked", () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom("GET", "POST", "PUT", "get"),
        fc.array(fc.oneof(anyText, fc.constantFrom(...words)), { maxLength: 14 }),
        anyText,
        async (method, parts, body) => {
          const panel = createSandbox();
          const { status } = await ask(panel, method, `/${parts.join("")}`, body);
          assert.ok([200, 201, 404, 422].includes(status), String(status));
          if (status !== 201) assert.equal(panel.acceptedPosts(), 0);
        },
      ),
      { numRuns: 300 },
    ));
});
