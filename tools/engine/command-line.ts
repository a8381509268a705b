import { constants, copyFileSync, existsSync, linkSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { cliPath, repositoryRoot } from "./cli";

const host = "pulumi-language-nodejs";
const provider = "pulumi-resource-pulumi-nodejs";

/**
 * A PATH with which `pulumi` runs whole projects. An official CLI includes its language host. A built CLI is put into `folder` next to this repository's small
 * language host, because the engine looks next to its own binary first and warns about a host elsewhere. `named` replaces the usual CLI.
 */
export function pathWithPulumi(folder: string, named = cliPath()): string {
  const cli = realpathSync(named);
  const rest = process.env.PATH ?? "";
  if (existsSync(join(dirname(cli), host))) return dirname(cli) + delimiter + rest;
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  place(cli, join(bin, "pulumi"));
  place(join(dirname(cli), provider), join(bin, provider));
  placeLanguageHost(bin);
  return bin + delimiter + rest;
}

/** Puts this repository's small language host into a folder, next to a CLI. */
export function placeLanguageHost(bin: string): void {
  const loader = require.resolve("ts-node/register/transpile-only");
  const start = [
    "#!/bin/sh",
    `export TS_NODE_PROJECT='${join(repositoryRoot, "tsconfig.json")}'`,
    `exec node -r '${loader}' '${join(__dirname, "language-host.ts")}' "$@"`,
    "",
  ].join("\n");
  writeFileSync(join(bin, host), start, { mode: 0o755 });
}

/** Makes a hard link or a copy, because a symbolic link would lead the engine back to where the binary came from. */
function place(from: string, to: string): void {
  if (existsSync(to)) return;
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to, constants.COPYFILE_FICLONE);
  }
}
