import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { commands, run } from "../../../cli/commands";
import type { Sandbox, Scene } from "./scene";
import type { TestStack } from "./stack";

/** Runs a command of the package on the stack's exported state. `out` is standard output, `told` is standard error. */
export async function commandOver(
  scene: Pick<Scene, "folder">,
  stack: TestStack,
  words: readonly string[],
  panel?: Sandbox,
): Promise<{ readonly code: number; readonly out: string; readonly told: string }> {
  const state = join(scene.folder, "state.json");
  writeFileSync(state, JSON.stringify(await stack.exportState()));
  let out = "";
  let told = "";
  const io = {
    say: (line: string): void => void (out += `${line}\n`),
    warn: (line: string): void => void (told += `${line}\n`),
    environment: {
      PATH: "/nowhere",
      ...(panel && {
        RECOVERY_ENDPOINT: panel.url,
        RECOVERY_USERNAME: panel.username,
        RECOVERY_PASSWORD: panel.password,
      }),
    },
    stdin: () => Promise.resolve(""),
  };
  const [name = "", ...options] = words;
  const folder = name === "ready" ? [] : ["--out", join(scene.folder, "out")];
  return { code: await run([name, "--state", state, ...folder, ...options], io, commands), out, told };
}
