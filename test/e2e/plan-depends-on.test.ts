import assert from "node:assert/strict";
import * as recovery from "pulumi-recovery";
import { inline } from "./support/inline";
import { reported } from "./support/plans";
import { useScene } from "./support/scene";
import { useService } from "./support/service";
import { Step } from "./support/step";
import { config, planArgs } from "./support/two-waves";

describe("resources between the waves of a plan", () => {
  const scene = useScene();
  let answers: "well" | "badly" = "well";
  /** The requests to the service, each with the number of POSTs to the panel before it. */
  let asked: string[] = [];
  let posts: () => number = () => 0;

  beforeEach(() => void (asked = []));
  const service = useService((request, response) => {
    asked.push(`${request.url ?? ""} after ${String(posts())}`);
    response.writeHead(answers === "well" ? 200 : 503).end();
  });

  /** Two waves (42, then 43) with a step in between, which runs again when its word changes. */
  interface Changes {
    readonly steps?: string;
    readonly onFailure?: "stop" | "continue";
    readonly throws?: boolean;
  }
  const program = (run: string, { steps = run, onFailure = "stop", throws = false }: Changes = {}) =>
    inline(() => {
      const args = { ...planArgs(), run, onFailure };
      args.waves[1]!.dependsOn = ({ data }) => {
        if (throws) throw new Error("no such zone");
        return new Step("dns", service.url, steps, { dependsOn: data! });
      };
      return { verdict: new recovery.RecoveryPlan("shop", args).verdict };
    });
  const started = async (...args: Parameters<typeof program>) => {
    const panel = await scene.panel({ speed: 50 });
    posts = () => panel.acceptedPosts();
    return { panel, stack: await scene.stack(program(...args), { config }) };
  };

  it("run after the previous wave and before the next wave", async () => {
    const { panel, stack } = await started("Q1");
    await stack.preview();
    assert.deepEqual([asked, panel.acceptedPosts()], [[], 0]);
    assert.equal((await stack.up()).outputs["verdict"]?.value, "passed");
    assert.deepEqual([asked, panel.acceptedPosts()], [["/create after 1"], 2]);
    await stack.up({ expectNoChanges: true });

    stack.use(program("Q2", { steps: "Q1" }));
    assert.equal((await stack.up()).outputs["verdict"]?.value, "passed");
    assert.deepEqual([asked.length, panel.acceptedPosts()], [1, 4]);

    stack.use(program("Q3"));
    assert.equal((await stack.up()).outputs["verdict"]?.value, "passed");
    assert.deepEqual(asked.slice(1), ["/create after 5", "/delete after 6"]);
    const { events } = await stack.destroy();
    const order = events.flatMap(({ resourcePreEvent }) => {
      const { op, urn = "" } = resourcePreEvent?.metadata ?? {};
      return op === "delete" ? [urn.split("::").at(-1) ?? ""] : [];
    });
    const watched = ["shop-wave-front-intent", "dns", "shop-wave-data"];
    assert.deepEqual(
      order.filter((name) => watched.includes(name)),
      watched,
    );
  });

  it("hold back the next wave until all of them succeed", async () => {
    const { panel, stack } = await started("Q1", { throws: true });
    const { stdout } = await stack.upFails();
    assert.match(stdout, /waves\[1\]\.dependsOn, the function of wave "front", threw: no such zone/);
    assert.deepEqual([panel.requests().length, asked], [0, []]);

    stack.use(program("Q1"));
    answers = "badly";
    assert.match((await stack.upFails()).stdout, /the zone is locked/);
    assert.deepEqual([panel.acceptedPosts(42), panel.acceptedPosts(43)], [1, 0]);
    answers = "well";
    assert.equal((await stack.up()).outputs["verdict"]?.value, "passed with warnings");
    assert.match(String((await reported(stack)).reasons), /^first sent by a later `up` of the run: files$/);
    assert.deepEqual([panel.acceptedPosts(42), panel.acceptedPosts(43), asked.length], [1, 1, 2]);
  });
});
