import assert from "node:assert/strict";
import { long } from "../support/thorough";
import { restores } from "./support/restores";
import { useScene } from "./support/scene";

/** An unknown color tag makes the CLI panic and leaves the stack locked. */
const markup = "<{%no colour%}>";
/** Without colors, the CLI silently removes such text. */
const colourful = { color: "always" } as const;

long.describe("hostile inputs on the real engine", () => {
  const scene = useScene();

  it("are rejected with a reason for each property, even if its text would crash the engine, and leave the stack unlocked", async () => {
    const panel = await scene.panel();
    // An untyped program may pass any of these.
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
