import assert from "node:assert/strict";
import { plain } from "../small-panels/plainest";
import { serve, type ServedPanel } from "../small-panels/serve";
import { needsProcesses } from "./support/processes";
import { restores } from "./support/restores";
import { useScene } from "./support/scene";
import { waitUntil } from "./support/wait-until";

/** Panels that give what SPEC.md shows and no more, on the real engine. */
describe("a small panel, after a kill", () => {
  const scene = useScene();
  let panel: ServedPanel | undefined;

  needsProcesses();

  afterEach(() => panel?.stop());

  for (const [name, { make, formats }] of Object.entries(plain))
    for (const format of formats)
      it(`posts nothing a second time: rows with ${name}, ${format}`, async () => {
        panel = await serve(make, { restoreSeconds: 4 });
        const config = {
          "recovery:endpoint": panel.url,
          "recovery:username": "operator",
          "recovery:password": { secret: "small" },
          "recovery:format": format,
          "recovery:requestTimeout": "2s",
        };
        const specs = [{ name: "web", args: { timeouts: { listed: "3s", busy: "20s", run: "60s" } } }];
        const stack = await restores(scene, specs, { config, connection: "none" });
        const { restores: posted } = panel;

        const run = await stack.start("up");
        await waitUntil(() => posted.length === 1, 60_000, "the restore to be posted");
        run.killCli();
        await run.ended;
        await stack.cancel();
        const second = await stack.up().catch((error: unknown) => String(error));

        assert.equal(posted.length, 1);
        if (typeof second === "string") assert.match(second, new RegExp(`adopt: "${String(posted[0]?.ids[0])}"`));
      });
});
