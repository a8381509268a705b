import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { builtCommand } from "../support/built";
import { pathWithPulumi } from "../../tools/engine/command-line";
import { engineEnvironment } from "../../tools/engine/environment";
import { projectFolder } from "../../tools/engine/workspace";
import { assertHidden, openPanel } from "./support/canaries";
import { inline } from "./support/inline";
import { useScene } from "./support/scene";

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command as it is built, in a project's folder, with the real CLI beside it. */
function check(cwd: string, home: string, args: readonly string[]): Promise<Ended> {
  const env = { ...process.env, ...engineEnvironment(home), PATH: pathWithPulumi(home) };
  return new Promise((resolve) => {
    execFile(process.execPath, [builtCommand, "check", ...args], { cwd, env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

describe("pulumi-recovery check on the real engine", () => {
  const scene = useScene();

  it("uses the stack's configuration with its secret password, only reads, and shows no secret", async () => {
    const panel = await openPanel(scene);
    const stack = await scene.stack(inline(() => ({})));
    const folder = projectFolder(stack.place);

    const named = await check(folder, stack.place.folder, ["--stack", stack.place.stack, "--machine", "42"]);
    assert.match(named.stdout, /User name and password are accepted[^]*Machine 42 is known/, named.stderr);
    assert.equal(named.code, 0, "what only a first restore can show is no question");
    const json = await check(folder, stack.place.folder, ["--stack", stack.place.stack, "--json"]);
    assert.equal((JSON.parse(json.stdout) as { verdict: string }).verdict, "fine");

    for (const { stdout, stderr } of [named, json]) assertHidden("the check", stdout + stderr);
    assert.deepEqual([...new Set(panel.requests().map(({ method }) => method))], ["GET"]);
    assert.equal(panel.acceptedPosts(), 0);
    assert.equal((await check(folder, stack.place.folder, ["--stack", "no-such-stack"])).code, 3);
  });
});
