import assert from "node:assert/strict";
import * as recovery from "pulumi-recovery";
import { panels } from "../small-panels/expected";
import { serve, type ServedPanel } from "../small-panels/serve";
import { inline } from "./support/inline";
import { useScene } from "./support/scene";

const login = { username: "operator", password: "small" };

describe("panels that show only what a panel must show, on the real engine,", () => {
  const scene = useScene();
  const served: ServedPanel[] = [];

  afterEach(() => Promise.all(served.splice(0).map((panel) => panel.stop())));

  /** The panels that differ most. */
  const tellingest = [
    "id and status (plain)",
    "enterprise XML attributes",
    "camel case, nested steps",
    "lettered ids, oldest first",
    "POST waits for the end",
  ];

  it("receive one POST for a machine and one for files, and nothing the second time, five panels at once", async () => {
    const sites = await Promise.all(
      tellingest.map(async (name) => {
        const { make, formats } = panels[name]!;
        const panel = await serve(make);
        served.push(panel);
        return { name: name.replace(/\W+/g, "-"), panel, format: formats[0]! };
      }),
    );
    const program = inline(() => {
      const statuses = sites.flatMap(({ name, panel, format }) => {
        const provider = new recovery.Provider(`at-${name}`, { endpoint: panel.url, ...login, format });
        const of = { virtualMachineId: 42, recoveryPointId: 1007, timeouts: { settle: "2s" } };
        return [
          new recovery.VmRestore(`web-${name}`, of, { provider }).status,
          new recovery.FileRestore(`etc-${name}`, { ...of, paths: ["/etc"] }, { provider }).status,
        ];
      });
      return { statuses };
    });
    const stack = await scene.stack(program, { connection: "none" });
    const { outputs } = await stack.up();
    assert.deepEqual(outputs["statuses"]?.value, Array(2 * sites.length).fill("complete"));
    await stack.up({ expectNoChanges: true });
    for (const { name, panel } of sites)
      assert.deepEqual(
        panel.restores.map(({ paths }) => paths),
        [undefined, ["/etc"]],
        name,
      );
  });
});
