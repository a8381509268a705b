import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../tools/engine/cli";
import { programOnPage } from "./languages/support/page";
import { needs } from "./support/needs";
import { posts } from "./support/posts";
import { useScene } from "./support/scene";
import { connection, yamlProject } from "./support/yaml-project";
import { programInYaml as programOf } from "./support/yaml-restores";
import { long } from "../support/thorough";

const example = readFileSync(join(repositoryRoot, "examples", "yaml", "Pulumi.yaml"), "utf8");

describe("a YAML program", () => {
  const scene = useScene();

  needs("yaml-host");

  for (const [whose, program] of [
    ["the example's", example],
    ["the page's", programOnPage("yaml")],
  ] as const)
    long.it(
      `sends nothing in the preview, restores once, and can be refreshed and destroyed without changes: ${whose} program`,
      async () => {
        const panel = await scene.panel({ speed: 50 });
        const project = await yamlProject(scene.folder, program, connection(panel));
        assert.match(await project.pulumi("preview"), /\n {4}overwrites machine \d+ from recovery point \d+\n/);
        assert.equal(panel.acceptedPosts(), 0);
        const up = await project.pulumi("up", "--yes");
        assert.match(up, /(?:status|files)\s*: "complete"/);
        const newest = panel.transactions().find(({ id }) => up.includes(`"${id}"`));
        assert.match(newest?.action ?? "", /restore/, up);
        assert.equal(panel.acceptedPosts(), 2);
        await project.pulumi("up", "--yes", "--expect-no-changes");
        await project.pulumi("refresh", "--yes", "--expect-no-changes");
        await project.pulumi("destroy", "--yes");
        assert.equal(panel.acceptedPosts(), 2);
        assert.deepEqual(await project.resources(), []);
      },
    );
});

long.describe("a YAML program with providers and secrets", () => {
  const scene = useScene();

  needs("yaml-host");

  it("uses an explicit provider's panel for its restores and functions, and keeps every secret encrypted in the state", async () => {
    const [main, site] = [
      await scene.panel({ speed: 50, username: "main", password: "canary-main" }),
      await scene.panel({ speed: 50, username: "site", password: "canary-site" }),
    ];
    const program = programOf(`config:
  sitePassword: { type: string, secret: true }
  canary: { type: string, secret: true }
resources:
  site:
    type: pulumi:providers:recovery
    properties:
      endpoint: ${site.url}
      username: site
      password: \${sitePassword}
  here:
    type: recovery:VmRestore
    properties: { virtualMachineId: "42", recoveryPointId: "1007" }
  there:
    type: recovery:FileRestore
    properties:
      virtualMachineId: "42"
      recoveryPointId: "1007"
      paths: ["/etc/\${canary}"]
      triggers: [{ deep: { "in": ["\${canary}"] } }]
      captureLog: always
    options: { provider: "\${site}" }
variables:
  rows:
    fn::invoke:
      function: recovery:getTransactions
      arguments: { limit: 2 }
      options: { provider: "\${site}", dependsOn: ["\${there}"] }
outputs:
  files: \${there.status}
  rows: \${rows.limit}
`);
    const project = await yamlProject(scene.folder, program, connection(main));
    await project.pulumi("config", "set-all", "--secret", "sitePassword=canary-site", "--secret", "canary=canary-path");
    assert.match(await project.pulumi("up", "--yes"), /files\s*: "complete"/);
    await project.pulumi("refresh", "--yes", "--expect-no-changes");
    await project.pulumi("up", "--yes", "--expect-no-changes");
    assert.deepEqual([posts(main).length, posts(site).length], [1, 1]);
    assert.match(posts(site)[0]?.path ?? "", /file_entries/);
    for (const panel of [main, site]) assert.ok(panel.requests().every(({ status }) => status !== 401));
    const state = await project.state();
    assert.doesNotMatch(state, /canary-|Finished successfully/);
    assert.match(state, /"logOutput": \{/);
  });
});
