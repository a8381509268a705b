import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../../../tools/engine/cli";

/** Generates the packages in the folders `nodejs`, `python` and `go`, as `pulumi package add` does. Go builds the generator if it is not cached. */
export async function makePackages(folder: string): Promise<{ readonly why: string } | undefined> {
  const { find } = await import("../../../../tools/cli/find.mjs");
  const generator = await find("sdk-generator");
  if ("why" in generator) return generator;
  const read = (...path: string[]): object => JSON.parse(readFileSync(join(repositoryRoot, ...path), "utf8")) as object;
  const { version } = read("package.json") as { readonly version: string };
  // The plugin's schema contains the version of its package.
  const input = JSON.stringify({ ...read("plugin", "schema.json"), version });
  execFileSync(generator.path, [folder], { input, stdio: ["pipe", "ignore", "pipe"] });
  return undefined;
}
