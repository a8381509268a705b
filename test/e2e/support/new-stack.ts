import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { PulumiFn, Stack } from "@pulumi/pulumi/automation";
import { createStack, openStack, projectFolder, type StackPlace } from "../../../tools/engine/workspace";

/** The files that `pulumi stack init` leaves in a stack's folder, by path. */
type Files = ReadonlyMap<string, Buffer>;

const made = new Map<string, Promise<Files>>();

/** A stack that has never run. Only the first of each name is created by `pulumi stack init`, which is slow; later ones are copies of its files. */
export async function newStack(place: StackPlace, program: PulumiFn): Promise<Stack> {
  const name = `${place.project}/${place.stack}, keys in ${place.secretsProvider ?? "a passphrase"}`;
  const earlier = made.get(name);
  if (earlier) {
    await write(place.folder, await earlier);
    return openStack(place, program);
  }
  const stack = createStack(place, program);
  const files = stack.then(() => read(place));
  made.set(name, files);
  files.catch(() => made.delete(name));
  await files;
  return stack;
}

async function read(place: StackPlace): Promise<Files> {
  const settings = join(projectFolder(place), `Pulumi.${place.stack}.yaml`);
  const backend = join(place.folder, "backend", ".pulumi");
  const stack = join(backend, "stacks", place.project, place.stack);
  const found = (await readdir(backend, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => dirname(path) === backend || path.startsWith(`${stack}.`));
  const paths = [settings, ...found];
  return new Map(
    await Promise.all(paths.map(async (path) => [relative(place.folder, path), await readFile(path)] as const)),
  );
}

async function write(folder: string, files: Files): Promise<void> {
  for (const [path, content] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  await mkdir(join(folder, "home"), { recursive: true });
}
