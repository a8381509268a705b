import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { example } from "./support/program";
import { useScene } from "./support/scene";
import { useService } from "./support/service";
import { repositoryRoot } from "../../tools/engine/cli";
import { Project } from "./support/project";
import { long } from "../support/thorough";

long.describe("the example after-restore on the real engine", () => {
  const scene = useScene();
  let [asked, isWell] = [0, false];
  const machine = useService((_request, response) => {
    asked++;
    response.writeHead(isWell ? 200 : 503).end();
  });

  it("fails the update when the hook fails, and then restores the content without running the hook again", async () => {
    const panel = await scene.panel({ speed: 50 });
    const stack = await scene.stack(example("after-restore"), {
      config: { "e2e:healthUrl": machine.url, "e2e:limitSeconds": "1" },
    });
    const run = await stack.upFails();
    const said = run.diagnostics.filter(({ message }) => message.includes("did not answer within 1 s: status 503"));
    assert.ok(
      said.some(({ severity }) => severity === "error"),
      run.stdout,
    );
    assert.equal((await stack.resource("web", "VmRestore")).outputs?.["status"], "complete");
    isWell = true;
    const before = asked;
    const next = await stack.up();
    assert.equal(next.outputs.files?.value, "complete");
    assert.equal(panel.acceptedPosts(), 2, "the machine once, and its files");
    // If the hook ran again, it would send more: one request comes from the check, and another may be left over from the first program.
    assert.ok(asked - before <= 2, `${String(asked - before)} requests`);
  });
});

function isForNode(name: string): boolean {
  const file = join(repositoryRoot, "examples", name, "Pulumi.yaml");
  if (name === "template" || !existsSync(file)) return false;
  const project = readFileSync(file, "utf8");
  const { runtime } = parse(project) as { readonly runtime: string | { readonly name: string } };
  return (typeof runtime === "string" ? runtime : runtime.name) === "nodejs";
}

long.describe("the examples as separate projects, with the commands on their pages:", () => {
  const scene = useScene();
  const settings: Record<string, string> = {
    "two-panels":
      "pulumi config set siteEndpoint http://127.0.0.1:9 && pulumi config set siteUsername drill && pulumi config set --secret sitePassword sandbox",
    "after-restore": "pulumi config set healthUrl http://127.0.0.1:9/",
  };
  for (const name of readdirSync(join(repositoryRoot, "examples")).filter(isForNode)) {
    it(`${name} can be previewed with the CLI`, async () => {
      const panel = await scene.panel();
      const checkout = Project.ofExample(scene.folder, name, panel, { PULUMI_NODEJS_TRANSPILE_ONLY: "false" });
      const stack = ["fleet", "drill"].includes(name) ? "drill" : "dev";

      const output = await checkout.run(
        [`pulumi stack init ${stack}`, settings[name] ?? "true", "pulumi preview --non-interactive"].join("\n"),
      );

      assert.match(output, /\+ \d+ to create/);
      assert.equal(panel.acceptedPosts(), 0);
    });
  }
});
