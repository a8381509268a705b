import { createHash } from "node:crypto";
import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { rollUp } from "./declarations.mjs";
import { root } from "./places.mjs";
import { run } from "./run.mjs";
import { startTicker, say } from "./say.mjs";
import { createWhole } from "./whole.mjs";

/** Left out of the package by `files` in package.json. */
const stamp = ".built-from";
const dist = join(root, "dist");
const folders = ["provider", "sandbox", "report", "cli"];

/** Compiles the package to `dist/`, unless it was made from these very sources. */
export async function buildDist() {
  await compile();
  linkCommand();
}

async function compile() {
  const sources = fingerprint();
  if (existsSync(join(dist, stamp)) && readFileSync(join(dist, stamp), "utf8") === sources) return;
  const done = startTicker("building dist/ (tsc)");
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  try {
    // Made anew, so that nothing stays of a source that went.
    await createWhole(dist, async (made) => {
      const declared = join(dirname(made), "declared");
      const args = [compiler, "-p", "tsconfig.build.json", "--outDir", made, "--declarationDir", declared];
      const outcome = await run(process.execPath, args, { cwd: root });
      if (!outcome.ok) throw new Error(`the build of dist/ failed:\n${outcome.problem}`);
      await rollUp(declared, made);
      // What `npm install` does once, and a folder made anew has lost: `npx pulumi-recovery` starts the file itself.
      chmodSync(join(made, "cli", "main.js"), 0o755);
      writeFileSync(join(made, stamp), sources);
    });
  } finally {
    done();
  }
  say("dist/ built");
}

/**
 * `npx pulumi-recovery` in the folder of an example finds the command here. npm makes this link, and makes none in a new clone: what it
 * would lead to is built only now. On Windows npm makes a script instead, with the next `npm install`.
 */
function linkCommand() {
  if (process.platform === "win32") return;
  const link = join(root, "node_modules", ".bin", "pulumi-recovery");
  if (lstatSync(link, { throwIfNoEntry: false }) === undefined) {
    symlinkSync("../pulumi-recovery/dist/cli/main.js", link);
  }
}

function fingerprint() {
  const hash = createHash("sha256");
  const sources = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort(),
  );
  const settings = ["tsconfig.json", "tsconfig.build.json", "package-lock.json", "tools/setup/declarations.mjs"].map(
    (file) => join(root, file),
  );
  for (const file of [...sources, ...settings]) hash.update(`${file}\0`).update(readFileSync(file)).update("\0");
  return hash.digest("hex");
}
