import assert from "node:assert/strict";
import { declare, restores } from "./support/restores";
import { useScene } from "./support/scene";
import { long } from "../support/thorough";

describe("a decimal id with zeros in front, on the real engine", () => {
  const scene = useScene();
  const spec = { name: "web", args: { triggers: ["first"] } };

  it("is refused in the preview wherever an id is given, before the panel is asked anything", async () => {
    const panel = await scene.panel({ speed: 50 });
    const names = ["virtualMachineId", "recoveryPointId", "adopt"];
    const zeros = Object.fromEntries(names.map((name) => [name, "0042"]));
    const stack = await restores(scene, [{ ...spec, args: { ...spec.args, ...zeros } }]);
    const { stdout } = await stack.previewFails();
    for (const name of names) assert.match(stdout, new RegExp(`${name} is "0042", which the panel takes for 42`));
    assert.deepEqual(panel.requests(), []);
  });

  long.it("that an earlier release has stored unfinished is found once it is corrected", async () => {
    const panel = await scene.panel({ speed: 1, scenario: {} });
    panel.failNext(42, { seconds: 6 });
    const limited = { ...spec, args: { ...spec.args, timeouts: { run: "1s" } } };
    const stack = await restores(scene, [limited]);
    await stack.upFails();
    await stack.importState(zerosInFront(await stack.exportState()));

    await stack.configure(declare([{ ...spec, args: { ...spec.args, timeouts: { run: "1m" } } }]));
    const found = await stack.up();
    assert.deepEqual(found.outputs["statuses"]?.value, ["complete"]);
    assert.equal(panel.acceptedPosts(), 1);
  });
});

long.describe("a finished restore with zeros in front of its id, on the real engine", () => {
  const scene = useScene();
  const spec = { name: "web", args: { triggers: ["first"] } };

  it("that an earlier release has stored is corrected without a second restore, refreshed and destroyed", async () => {
    const panel = await scene.panel({ speed: 50 });
    const stack = await restores(scene, [spec]);
    await stack.up();
    await stack.importState(zerosInFront(await stack.exportState()));
    assert.equal((await stack.resource("web", ":VmRestore")).outputs?.["virtualMachineId"], "042");

    await stack.refresh();
    const corrected = await stack.up();
    assert.equal(corrected.changes.replace ?? 0, 0);
    assert.equal((await stack.resource("web", ":VmRestore")).outputs?.["virtualMachineId"], "42");
    assert.equal((await stack.resource("web-vm-intent")).outputs?.["virtualMachineId"], "42");
    await stack.up({ expectNoChanges: true });

    await stack.configure(declare([{ ...spec, args: { ...spec.args, triggers: ["second"] } }]));
    await stack.up();
    assert.equal(panel.acceptedPosts(), 2);
    await stack.importState(zerosInFront(await stack.exportState()));
    await stack.destroy();
    assert.equal(panel.acceptedPosts(), 2);
  });
});

/** An id as 1.0.0 has stored it, wherever it stands in a state. */
function zerosInFront<Data>(state: Data): Data {
  return JSON.parse(JSON.stringify(state).replaceAll('"virtualMachineId":"42"', '"virtualMachineId":"042"')) as Data;
}
