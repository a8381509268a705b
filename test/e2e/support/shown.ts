import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { cliPath } from "../../../tools/engine/cli";
import { engineEnvironment } from "../../../tools/engine/environment";
import { projectFolder, type StackPlace } from "../../../tools/engine/workspace";
import type { Run } from "./run";

const texts = ["stack export", "stack output --json", "stack history --json", "stack --show-urns", "config --json"];
const commands = texts.map((text) => text.split(" "));

/** The output of the CLI's own commands about a stack, without --show-secrets. */
export async function toldByTheCli(place: StackPlace): Promise<string> {
  const texts = await Promise.all(
    commands.map(async (words) => {
      const options = {
        cwd: projectFolder(place),
        env: { ...process.env, ...engineEnvironment(place.folder), ...place.env },
        maxBuffer: 64 * 1024 * 1024,
      };
      const args = [...words, "--stack", place.stack, "--non-interactive"];
      const { stdout, stderr } = await promisify(execFile)(cliPath(), args, options);
      return stdout + stderr;
    }),
  );
  return texts.join("\n");
}

/** Every file that the engine wrote: backend, history, project and its own home. */
export async function filesOfTheEngine({ folder }: StackPlace): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return (await Promise.all(files.map((file) => readFile(file, "utf8")))).join("\n");
}

/**
 * All messages from a run. The outputs are left out, because the Automation API requests them with their secrets. So are the SDK's debug
 * messages, which contain every property, secret or not, and are shown only on request.
 */
export function saidBy(run: Run): string {
  const events = run.events.filter(({ diagnosticEvent }) => (diagnosticEvent?.severity as string) !== "debug");
  return [run.stdout, run.stderr, run.error, JSON.stringify(events)].join("\n");
}

/** At its most verbose, the engine's own log contains every property that the engine receives or passes on, secret or not. */
const spellsOutProperties = /"msg":"(Marshal|Unmarshal|serialize|deserialize|RPC)/i;

/** Removes the lines that contain properties from the log, which leaves only what our code writes. */
export function withoutProperties(text: string): string {
  return text
    .split("\n")
    .filter((line) => !spellsOutProperties.test(line))
    .join("\n");
}
