import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import * as recovery from "pulumi-recovery";
import { long } from "../support/thorough";
import { inline } from "./support/inline";
import { planTimeouts as timeouts, quick as config } from "./support/plans";
import { restores } from "./support/restores";
import { useScene } from "./support/scene";
import { useService } from "./support/service";

/** An unknown color tag makes the CLI panic and leaves the stack locked. */
const markup = "<{%no colour%}>";
/** Without colors, the CLI silently removes such text. */
const colourful = { color: "always" } as const;
const asPeopleSee = { ...colourful, diff: true } as const;

long.describe("hostile inputs on the real engine", () => {
  const scene = useScene();

  it("are rejected with a reason for each property, even if its text would crash the engine, and leave the stack unlocked", async () => {
    const panel = await scene.panel();
    const args: Record<string, unknown> = {
      virtualMachineId: "42/../43",
      recoveryPointId: [[1007]],
      adopt: markup,
      triggers: "drill",
      timeouts: { constructor: 1 },
      wait: "no",
      captureLog: [{ deep: markup }],
      status: "complete",
      [markup]: 1,
    };
    const stack = await restores(scene, [{ name: "web", args }]);
    const [preview, up] = [await stack.previewFails(colourful), await stack.upFails(colourful)];
    for (const run of [preview, up])
      assert.doesNotMatch(run.stdout + run.stderr + String(run.error), /panic|fatal|Unrecognized color/);
    const said = preview.diagnostics
      .map(({ message }) => message.replace(/^.* resource 'web'(: property)? /, ""))
      .join("\n");
    for (const name of Object.keys(args).slice(0, -1))
      assert.match(said, new RegExp(`^(has a problem: )?${name} `, "m"));
    assert.match(said, /^has a problem: <\{ %no colour%\}>: a VmRestore has no input with this name$/m);
    assert.deepEqual(panel.requests(), []);
    await stack.destroy(colourful);
  });
});

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
