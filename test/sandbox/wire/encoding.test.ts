import assert from "node:assert/strict";
import fc from "fast-check";
import { createSandbox, type PanelResponse, type SandboxPanel } from "../../../sandbox";

const login = `Basic ${Buffer.from("operator:sandbox").toString("base64")}`;

function ask(panel: SandboxPanel, method: string, path: string, body = ""): Promise<PanelResponse> {
  return panel.handle({ method, path, headers: { authorization: login }, body });
}

const anyText = fc.string({ unit: "binary", maxLength: 30 });

/** Of which paths are made. */
const words =
  "/ transactions .json .xml virtual_machines 42 logs backups recovery_points 1007 restore file_entries page per_page 2 999999999 ? & = % %2e".split(
    " ",
  );

describe("what the sandbox writes and reads", () => {
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
