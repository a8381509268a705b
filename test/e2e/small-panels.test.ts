import assert from "node:assert/strict";
import * as recovery from "pulumi-recovery";
import { panels } from "../small-panels/expected";
import { plain } from "../small-panels/plainest";
import { serve, type ServedPanel } from "../small-panels/serve";
import { inline } from "./support/inline";
import { needsProcesses } from "./support/processes";
import { restores } from "./support/restores";
import { useScene } from "./support/scene";
import { waitUntil } from "./support/wait-until";

const login = { username: "operator", password: "small" };

describe("panels that give only what a panel must show, on the real engine", () => {
  const scene = useScene();
  const served: ServedPanel[] = [];

  afterEach(() => Promise.all(served.splice(0).map((panel) => panel.stop())));

  /** The panels that differ most. */
  const tellingest = [
    "id and status (plain)",
    "enterprise XML attributes",
    "camel case, nested steps",
    "lettered ids, oldest first",
    "POST waits for the end",
  ];

  it("restore a machine and files with one POST each, and nothing the second time, on five panels at once", async () => {
    const sites = await Promise.all(
      tellingest.map(async (name) => {
        const { make, formats } = panels[name]!;
        const panel = await serve(make);
        served.push(panel);
        return { name: name.replace(/\W+/g, "-"), panel, format: formats[0]! };
      }),
    );
    const program = inline(() => {
      const statuses = sites.flatMap(({ name, panel, format }) => {
        const provider = new recovery.Provider(`at-${name}`, { endpoint: panel.url, ...login, format });
        const of = { virtualMachineId: 42, recoveryPointId: 1007, timeouts: { settle: "2s" } };
        return [
          new recovery.VmRestore(`web-${name}`, of, { provider }).status,
          new recovery.FileRestore(`etc-${name}`, { ...of, paths: ["/etc"] }, { provider }).status,
        ];
      });
      return { statuses };
    });
    const stack = await scene.stack(program, { connection: "none" });
    const { outputs } = await stack.up();
    assert.deepEqual(outputs["statuses"]?.value, Array(2 * sites.length).fill("complete"));
    await stack.up({ expectNoChanges: true });
    for (const { name, panel } of sites)
      assert.deepEqual(
        panel.restores.map(({ paths }) => paths),
        [undefined, ["/etc"]],
        name,
      );
  });

  describe("after a kill", () => {
    needsProcesses();

    /** Kills the run right after its POST, and returns the result of the next run. */
    const killedAfterPost = async (panel: ServedPanel) => {
      served.push(panel);
      const config = {
        "recovery:endpoint": panel.url,
        "recovery:username": login.username,
        "recovery:password": { secret: login.password },
        "recovery:requestTimeout": "4s",
      };
      const specs = [{ name: "web", args: { timeouts: { listed: "3s", busy: "20s", run: "60s" } } }];
      const stack = await restores(scene, specs, { config, connection: "none" });
      const run = await stack.start("up");
      await waitUntil(() => panel.restores.length === 1, 60_000, "the restore to be posted");
      run.killCli();
      await run.ended;
      await stack.cancel();
      return stack.up().catch((error: unknown) => String(error));
    };

    it("posts nothing a second time when rows have only an id and a status", async () => {
      const panel = await serve(plain["id and status"].make, { restoreSeconds: 4 });
      const second = await killedAfterPost(panel);
      const { restores: posted } = panel;
      assert.equal(posted.length, 1);
      if (typeof second === "string") assert.match(second, new RegExp(`adopt: "${String(posted[0]?.ids[0])}"`));
    });
  });
});
