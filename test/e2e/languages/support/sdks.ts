import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repositoryRoot } from "../../../../tools/engine/cli";

interface Made<Ready> {
  folder: string;
  ready: Ready;
}

/** Generates the packages before the tests in the calling suite, and prepares what the tests need, in a temporary folder. Skips the suite if that is impossible. */
export function usePackages<Ready extends object>(
  prepare: (folder: string, packages: string) => Promise<Ready | { readonly why: string }>,
): Readonly<Made<Ready>> {
  const made = { folder: "" } as Made<Ready>;

  before(async function () {
    this.timeout(20 * 60_000);
    made.folder = mkdtempSync(join(tmpdir(), "recovery-packages-"));
    const packages = join(made.folder, "packages");
    const ready = (await makePackages(packages)) ?? (await prepare(made.folder, packages));
    if ("why" in ready) {
      process.stderr.write(`skipped: ${ready.why}\n`);
      this.skip();
    }
    made.ready = ready;
  });

  after(() => rmSync(made.folder, { recursive: true, force: true, maxRetries: 5 }));

  return made;
}

/** Generates the packages in the folders `nodejs`, `python` and `go`, as `pulumi package add` does. Go builds the generator if it is not cached. */
async function makePackages(folder: string): Promise<{ readonly why: string } | undefined> {
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
