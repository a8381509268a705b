import assert from "node:assert/strict";
import { requireIntent } from "../../provider/restore/post-restore";
import { intentOf, panelAddress, requestOf, target } from "./support/rows";

describe("a restore may be carried out", () => {
  const files = { ...target, kind: "FileRestore", paths: ["/a", "/b"] } as const;
  for (const [name, wanted, intent] of [
    ["under its own intent", target, intentOf()],
    ["with its paths in another order", files, intentOf({ madeFor: { ...files, paths: ["/b", "/a"] } })],
  ] as const) {
    it(name, () => {
      const permission = requireIntent({ ...requestOf({ target: wanted }), intent }, panelAddress);
      assert.ok("request" in permission && permission.request.intent === intent);
    });
  }
});
