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
  const compiler = join(root, "node_modules", "typescript-native", "bin", "tsc");
  try {
    // Created from scratch, so that nothing remains of removed sources.
    await createWhole(dist, async (made) => {
      const declared = join(dirname(made), "declared");
      const args = [compiler, "-p", "tsconfig.build.json", "--outDir", made, "--declarationDir", declared];
      // A pipeline checks the types once, in a separate step.
      if (process.env.CI) args.push("--noCheck");
      const outcome = await run(process.execPath, args, { cwd: root });
      if (!outcome.ok) throw new Error(`the build of dist/ failed:\n${outcome.problem}`);
      await rollUp(declared, made);
      await shrink(made);
      // `npx pulumi-recovery` runs the file directly, and `npm install` does not make it executable again in this new folder.
      chmodSync(join(made, "cli", "main.js"), 0o755);
      writeFileSync(join(made, stamp), sources);
    });
  } finally {
    done();
  }
  say("dist/ built");
}

/** Removes comments, which only the package's authors read, and modules that contain only types, which nothing imports. */
async function shrink(/** @type {string} */ folder) {
  const { default: ts } = await import("typescript");
  const compilerOptions = { removeComments: true, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS };
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".js")) continue;
    const { outputText } = ts.transpileModule(readFileSync(join(folder, name), "utf8"), { compilerOptions });
    if (outputText.trim().split("\n").length > 2) writeFileSync(join(folder, name), outputText);
    else rmSync(join(folder, name));
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
