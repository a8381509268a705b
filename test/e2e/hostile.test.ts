import assert from "node:assert/strict";
import type { Spec } from "./support/restores";
import { restores } from "./support/restores";
import { useScene } from "./support/scene";

/** Arguments as a program without types may give them. The engine stops at the first resource that is refused. */
const wrong: readonly (Omit<Spec, "args"> & { readonly args: Record<string, unknown> })[] = [
  {
    name: "another-path",
    args: { virtualMachineId: "42/../43", recoveryPointId: "@elsewhere.example/1", adopt: "../5010" },
  },
  { name: "another-header", args: { virtualMachineId: "42\r\nHost: elsewhere", recoveryPointId: "1%2f2" } },
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
  {
    name: "other-files",
    kind: "FileRestore",
    args: { paths: ["/a\u0000b"], recoveryPointId: 10.07, timeouts: [1, 2] },
  },
];

describe("hostile inputs on the real engine", () => {
  const scene = useScene();

  for (const spec of wrong) {
    it(`${spec.name}: refused in the preview, with an error for each property, and nothing at all is sent`, async () => {
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
    const stack = await restores(scene, [{ name: "web", args: { virtualMachineId: "42/../43" } }]);
    const run = await stack.upFails();
    assert.match(run.stdout, /virtualMachineId is "42\/\.\.\/43", which is no id/);
    assert.deepEqual(
      panel.requests().filter(({ method, path }) => method !== "GET" || !path.startsWith("/transactions.")),
      [],
    );
  });
});
