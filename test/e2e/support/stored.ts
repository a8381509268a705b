import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { StackPlace } from "../../../tools/engine/workspace";

export interface StoredResource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
  readonly initErrors?: readonly string[];
  /** Already replaced, and waiting for deletion. */
  readonly delete?: boolean;
}

/** The resources in a stack's state, in the engine's order. Secrets are as stored: encrypted. */
export async function storedResources(place: StackPlace): Promise<readonly StoredResource[]> {
  const state = JSON.parse(await readFile(join(statesOf(place), `${place.stack}.json`), "utf8")) as State;
  return state.checkpoint?.latest?.resources ?? [];
}

interface State {
  readonly checkpoint?: { readonly latest?: { readonly resources?: readonly StoredResource[] } };
}

/** Everything the engine wrote about a stack, as stored in its files (`exportState` decrypts what it returns). */
export async function stored(place: StackPlace): Promise<string> {
  const { folder, project, stack } = place;
  const folders = [statesOf(place), join(folder, "backend", ".pulumi", "history", project, stack)];
  const texts = await Promise.all(folders.map(filesOf));
  const found = texts.flat();
  if (found.length === 0) throw new Error(`nothing is stored of stack ${stack}`);
  return found.join("\n");
}

/**
 * The file backend writes a checksum next to each state, but not atomically: if the CLI is killed at that moment, it leaves the checksum
 * empty, and no command can read the state anymore ("failed to load checkpoint: EOF"). The state itself is intact.
 */
export async function removeHalfWritten({ folder }: Pick<StackPlace, "folder">): Promise<void> {
  const states = join(folder, "backend", ".pulumi", "stacks");
  for (const name of await readdir(states, { recursive: true })) {
    if (name.endsWith(".attrs") && (await stat(join(states, name))).size === 0) await rm(join(states, name));
  }
}

function statesOf({ folder, project }: StackPlace): string {
  return join(folder, "backend", ".pulumi", "stacks", project);
}

async function filesOf(path: string): Promise<string[]> {
  const names = await readdir(path);
  return Promise.all(names.filter((name) => name.includes(".json")).map((name) => readFile(join(path, name), "utf8")));
}
