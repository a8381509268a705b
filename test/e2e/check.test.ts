import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { builtCommand } from "../support/built";
import { pathWithPulumi } from "../../tools/engine/command-line";
import { engineEnvironment } from "../../tools/engine/environment";
import { projectFolder } from "../../tools/engine/workspace";
import { assertHidden, openPanel } from "./support/canaries";
import { ended, type Ended } from "./support/ended";
import { inline } from "./support/inline";
import { useScene } from "./support/scene";

/** Runs the built command in a project's folder, with the real CLI on the path. */
function check(cwd: string, home: string, args: readonly string[]): Promise<Ended> {
  const env = { ...process.env, ...engineEnvironment(home), PATH: pathWithPulumi(home) };
  return ended(
    spawn(process.execPath, [builtCommand, "check", ...args], { cwd, env, stdio: ["ignore", "pipe", "pipe"] }),
  );
}

describe("pulumi-recovery check on the real engine", () => {
  const scene = useScene();

  it("uses the stack's configuration with its secret password, sends no POST, and shows no secret", async () => {
    const panel = await openPanel(scene);
    const stack = await scene.stack(inline(() => ({})));
    const folder = projectFolder(stack.place);

    const named = await check(folder, stack.place.folder, ["--stack", stack.place.stack, "--machine", "42"]);
    assert.match(named.stdout, /The user name and password are accepted[^]*Machine 42 exists/, named.text);
    assert.equal(named.code, 0, "what only a first restore can show is not a question");

    assertHidden("the check", named.text);
    assert.deepEqual([...new Set(panel.requests().map(({ method }) => method))], ["GET"]);
    assert.equal(panel.acceptedPosts(), 0);
    assert.equal((await check(folder, stack.place.folder, ["--stack", "no-such-stack"])).code, 3);
  });
});
