import assert from "node:assert/strict";
import * as recovery from "pulumi-recovery";
import { long } from "../support/thorough";
import { inline } from "./support/inline";
import { planArgs, quick as config, reported } from "./support/plans";
import { useScene } from "./support/scene";
import { useService } from "./support/service";
import { Step } from "./support/step";

long.describe("resources between a plan's waves", () => {
  const scene = useScene();
  let answers: "well" | "badly" = "badly";
  /** The requests to the service, each with the number of POSTs that the panel had received by then. */
  const asked: string[] = [];
  let posts = (): number => 0;
  const service = useService((request, response) => {
    asked.push(`${request.url ?? ""} after ${String(posts())}`);
    response.writeHead(answers === "well" ? 200 : 503).end();
  });

  /** Two waves (42, then 43) with a step in between, which runs again when its word changes. */
  const program = (run: string, word: string | Error) =>
    inline(() => {
      const args = { ...planArgs(), run };
      args.waves[1]!.dependsOn = ({ data }) => {
        if (typeof word !== "string") throw word;
        return new Step("dns", service.url, word, { dependsOn: data! });
      };
      return { verdict: new recovery.RecoveryPlan("shop", args).verdict };
    });

  it("are created after the previous wave, hold back the next wave until all of them succeed, and are deleted in reverse order", async () => {
    const panel = await scene.panel({ speed: 50 });
    posts = () => panel.acceptedPosts();
    const stack = await scene.stack(program("Q1", new Error("no such zone")), { config });
    const { stdout } = await stack.upFails();
    assert.match(stdout, /waves\[1\]\.dependsOn, the function of wave "front", threw: no such zone/);
    stack.use(program("Q1", "Q1"));
    await stack.preview();
    assert.deepEqual([panel.requests().length, asked], [0, []]);

    assert.match((await stack.upFails()).stdout, /the zone is locked/);
    assert.deepEqual([panel.acceptedPosts(42), panel.acceptedPosts(43)], [1, 0]);
    answers = "well";
    assert.equal((await stack.up()).outputs["verdict"]?.value, "passed with warnings");
    assert.match(String((await reported(stack)).reasons), /^first sent by a later `up` in the run: files$/);
    assert.deepEqual([panel.acceptedPosts(42), panel.acceptedPosts(43)], [1, 1]);
    assert.deepEqual(asked.splice(0), ["/create after 1", "/create after 1"]);

    stack.use(program("Q2", "Q1"));
    assert.equal((await stack.up()).outputs["verdict"]?.value, "passed");
    assert.deepEqual([asked, panel.acceptedPosts()], [[], 4]);
    stack.use(program("Q3", "Q3"));
    assert.equal((await stack.up()).outputs["verdict"]?.value, "passed");
    assert.deepEqual(asked, ["/create after 5", "/delete after 6"]);

    const { events } = await stack.destroy();
    const order = events.flatMap(({ resourcePreEvent }) => {
      const { op, urn = "" } = resourcePreEvent?.metadata ?? {};
      return op === "delete" ? [urn.split("::").at(-1) ?? ""] : [];
    });
    const watched = ["shop-wave-front-intent", "dns", "shop-wave-data"];
    const seen = order.filter((name) => watched.includes(name));
    assert.deepEqual(seen, watched);
  });
});
