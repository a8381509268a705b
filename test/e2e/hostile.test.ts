import assert from "node:assert/strict";
import { posts } from "./support/posts";
import { type Spec, restores } from "./support/restores";
import { useScene } from "./support/scene";

/**
 * What the CLI takes for a colour of its own. At one that it does not know it panics, and leaves the stack locked.
 */
const markup = "<{%no colour%}>";
/** Without colours the CLI takes such a text out unseen. */
const colourful = { color: "always" } as const;

/** Arguments as a program without types may give them. The engine stops at the first resource that is refused. */
const wrong: readonly (Omit<Spec, "args"> & { readonly args: Record<string, unknown> })[] = [
  {
    name: "another-path",
    args: { virtualMachineId: "42/../43", recoveryPointId: "@elsewhere.example/1", adopt: "../5010" },
  },
  {
    name: "other-types",
    args: {
      virtualMachineId: { id: 42 },
      recoveryPointId: [[1007]],
      triggers: "drill",
      timeouts: { constructor: 1 },
      wait: "no",
      retryFailed: 0,
      captureLog: 7,
      status: "complete",
    },
  },
];

describe("hostile inputs on the real engine", () => {
  const scene = useScene();

  for (const spec of wrong) {
    it(`are refused in the preview with an error for each property, and nothing is sent: ${spec.name}`, async () => {
      const panel = await scene.panel();
      const stack = await restores(scene, [spec]);
      const run = await stack.previewFails();
      for (const property of Object.keys(spec.args)) {
        assert.match(run.stdout, new RegExp(`resource '${spec.name}': property ${property} `));
      }
      assert.deepEqual(panel.requests(), []);
    });
  }

  it("post nothing when the preview is skipped", async () => {
    const panel = await scene.panel();
    const anotherHeader = { virtualMachineId: "42\r\nHost: elsewhere", recoveryPointId: "1%2f2" };
    const stack = await restores(scene, [{ name: "web", args: anotherHeader }]);
    const run = await stack.upFails();
    assert.match(run.stdout, /virtualMachineId is "42.*Host: elsewhere", which is not an id/);
    assert.deepEqual(panel.requests(), []);
  });
});

describe("text that would crash the engine, on the real engine", () => {
  const scene = useScene();

  it("is refused with a reason for each property, as a value, inside a value or as a name, and leaves the stack unlocked", async () => {
    const panel = await scene.panel();
    const args: Record<string, unknown> = { virtualMachineId: markup, captureLog: [{ deep: markup }], [markup]: 1 };
    const stack = await restores(scene, [{ name: "web", args }]);
    const [preview, up] = [await stack.previewFails(colourful), await stack.upFails(colourful)];
    for (const run of [preview, up])
      assert.doesNotMatch(run.stdout + run.stderr + String(run.error), /panic|fatal|Unrecognized color/);
    for (const name of ["virtualMachineId", "captureLog", markup.replace("<{%", "<{ %")]) {
      assert.ok(
        preview.diagnostics.some(({ urn, message }) => urn.endsWith("::web") && message.includes(`a problem: ${name}`)),
        `${name} in ${preview.stdout}`,
      );
    }
    assert.deepEqual(posts(panel), []);
    await stack.destroy(colourful);
  });
});
