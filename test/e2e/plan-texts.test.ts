import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import * as recovery from "pulumi-recovery";
import { inline } from "./support/inline";
import { useScene } from "./support/scene";
import { useService } from "./support/service";
import { planTimeouts as timeouts, quick as config } from "./support/plans";
import { long } from "../support/thorough";

/** Text that the engine mistakes for a color tag, which would end the run and leave the stack locked. */
const markup = "fire <{%no colour%}>";
const asPeopleSee = { color: "always", diff: true } as const;

long.describe("a plan with text that the engine cannot print", () => {
  const scene = useScene();
  // The check sends the original text, which may differ from the printable text.
  const service = useService((request, response) =>
    response.writeHead(request.headers["x-word"] === markup ? 200 : 403).end(`all good ${markup}`),
  );

  it("is previewed and carried out like any other plan", async () => {
    const panel = await scene.panel({ speed: 50 });
    const http = service.url;
    const program = inline(() => {
      const late = pulumi.output(Promise.resolve(`late ${markup}`));
      const thing = new pulumi.ComponentResource("some:index:Thing", "thing");
      const plan = new recovery.RecoveryPlan("shop", {
        run: `first ${markup}`,
        notes: { scenario: markup, owner: late },
        waves: [
          {
            name: "data",
            restores: {
              db: {
                virtualMachineId: 42,
                recoveryPointId: 1007,
                triggers: [markup, { [markup]: "\u{d800} half" }, thing],
                timeouts,
                checks: [
                  { name: "page", http, contains: markup, headers: { "x-word": markup }, every: "1s", within: "2s" },
                  { command: [process.execPath, "-e", `process.exit(${JSON.stringify(markup)} ? 0 : 1)`, markup] },
                ],
              },
            },
          },
        ],
      });
      return { verdict: plan.verdict, reasons: plan.reasons };
    });
    const stack = await scene.stack(program, { config });
    await stack.preview(asPeopleSee);
    const run = await stack.up(asPeopleSee);
    assert.equal(run.outputs["verdict"]?.value, "passed", run.stdout);
    assert.deepEqual((await stack.up(asPeopleSee)).changes, { same: 7 }, "nothing has changed");
    assert.equal(panel.acceptedPosts(), 1);
    await stack.destroy(asPeopleSee);
  });
});
