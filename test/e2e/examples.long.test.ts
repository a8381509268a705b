import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { repositoryRoot } from "../../tools/engine/cli";
import { Checkout } from "./support/checkout";
import { useScene } from "./support/scene";

function isForNode(name: string): boolean {
  const project = readFileSync(join(repositoryRoot, "examples", name, "Pulumi.yaml"), "utf8");
  const { runtime } = parse(project) as { readonly runtime: string | { readonly name: string } };
  return (typeof runtime === "string" ? runtime : runtime.name) === "nodejs";
}

describe("the examples as projects of their own, by the commands of their pages", () => {
  const scene = useScene();
  const settings: Record<string, string> = {
    "two-panels":
      "pulumi config set siteEndpoint http://127.0.0.1:9 && pulumi config set siteUsername drill && pulumi config set --secret sitePassword sandbox",
    "after-restore": "pulumi config set healthUrl http://127.0.0.1:9/",
  };
  // Programs in other languages need more than Node.js: the tests of these languages run them.
  for (const name of readdirSync(join(repositoryRoot, "examples")).filter(isForNode)) {
    it(`${name} previews with the CLI`, async () => {
      const panel = await scene.panel();
      const checkout = new Checkout(scene.folder, name, panel);
      const stack = ["fleet", "drill"].includes(name) ? "drill" : "dev";

      const output = await checkout.run(
        [`pulumi stack init ${stack}`, settings[name] ?? "true", "pulumi preview --non-interactive"].join("\n"),
      );

      assert.match(output, /\+ \d+ to create/);
      assert.equal(panel.acceptedPosts(), 0);
    });
  }
});
