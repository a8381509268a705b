import { installDependencies } from "./dependencies.mjs";

/** Sets up dependencies and `dist/`, which is enough for everything that needs no engine. */
export async function setUpPackage() {
  refuseOldNode();
  await installDependencies();
  const { buildDist } = await import("./dist.mjs");
  await buildDist();
}

/** Sets up everything, and returns the path of the Pulumi CLI. */
export async function setUp() {
  await setUpPackage();
  // Loaded only here, because it needs the installed packages.
  const { findCli } = await import("../cli/find.mjs");
  return findCli();
}

function refuseOldNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new Error(`this is Node ${process.versions.node}, but 20.19 or newer is needed (https://nodejs.org)`);
}

/** Runs a command's work and reports an error as a message, without a stack trace. */
export async function reportingFailure(/** @type {() => Promise<void>} */ work) {
  try {
    await work();
  } catch (error) {
    process.stderr.write(`set-up: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
