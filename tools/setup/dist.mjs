import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { rollUp } from "./declarations.mjs";
import { root } from "./places.mjs";
import { run } from "./run.mjs";
import { startTicker, say } from "./say.mjs";
import { createWhole } from "./whole.mjs";

/** `files` in package.json keeps this file out of the package. */
const stamp = ".built-from";
const dist = join(root, "dist");
const folders = ["provider", "drills", "sandbox", "report", "cli"];

/** Compiles the package to `dist/`, unless `dist/` was already built from the same sources. */
export async function buildDist() {
  await compile();
  linkCommand();
}

async function compile() {
  const sources = fingerprint();
  if (existsSync(join(dist, stamp)) && readFileSync(join(dist, stamp), "utf8") === sources) return;
  const done = startTicker("building dist/ (tsc)");
  try {
    // Created from scratch, so that nothing remains of removed sources.
    await createWhole(dist, async (made) => {
      const declared = join(dirname(made), "declared");
      // A pipeline checks the types once, in a separate step.
      const checks = process.env.CI ? ["--noCheck"] : [];
      // Comments stay in the declarations, where editors show them.
      await Promise.all([
        compileWith("--outDir", made, "--declaration", "false", "--removeComments", "--noCheck"),
        compileWith("--declarationDir", declared, "--emitDeclarationOnly", ...checks),
      ]);
      await rollUp(declared, made);
      removeTypes(made);
      // `npx pulumi-recovery` runs the file directly, and `npm install` does not make it executable again in this new folder.
      chmodSync(join(made, "cli", "main.js"), 0o755);
      writeFileSync(join(made, stamp), sources);
    });
  } finally {
    done();
  }
  say("dist/ built");
}

async function compileWith(/** @type {string[]} */ ...options) {
  const compiler = join(root, "node_modules", "typescript-native", "bin", "tsc");
  const outcome = await run(process.execPath, [compiler, "-p", "tsconfig.build.json", ...options], { cwd: root });
  if (!outcome.ok) throw new Error(`the build of dist/ failed:\n${outcome.problem}`);
}

/** Removes modules that contain only types, which nothing imports. */
function removeTypes(/** @type {string} */ folder) {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const isEmpty = () => readFileSync(join(folder, name), "utf8").trim().split("\n").length <= 2;
    if (name.endsWith(".js") && isEmpty()) rmSync(join(folder, name));
  }
}

/**
 * Links the command, so that `npx pulumi-recovery` in an example's folder finds it. In a new clone npm makes no link, because the target is built only here.
 * On Windows, the next `npm install` makes a script instead.
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
