import assert from "node:assert/strict";
import { posts } from "./support/posts";
import { type Spec, restores } from "./support/restores";
import { useScene } from "./support/scene";

/**
 * Text that the CLI mistakes for one of its color tags. At an unknown tag the CLI panics and leaves the stack locked.
 */
const markup = "<{%no colour%}>";
/** Without colors, the CLI silently removes such text. */
const colourful = { color: "always" } as const;

/** Arguments as a program without types may pass them. The engine stops at the first resource that is rejected. */
const wrong: readonly (Omit<Spec, "args"> & { readonly args: Record<string, unknown> })[] = [
  {
    name: "another-path",
    args: { virtualMachineId: "42/../43", recoveryPointId: "1\r\nHost: elsewhere", adopt: "../5010" },
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

  it("are rejected with an error for each property, and nothing is sent, even without a preview", async () => {
    const panel = await scene.panel();
    for (const spec of wrong) {
      const stack = await restores(scene, [spec], { name: spec.name });
      const { stdout } = await stack.previewFails();
      for (const property of Object.keys(spec.args))
        assert.match(stdout, new RegExp(`resource '${spec.name}': property ${property} `));
      assert.match((await stack.upFails()).stdout, /error: the input virtualMachineId is /);
    }
    assert.deepEqual(panel.requests(), []);
  });
});

describe("text that would crash the real engine", () => {
  const scene = useScene();

  it("is rejected with a reason for each property, as a value, within a value or as a name, and leaves the stack unlocked", async () => {
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
