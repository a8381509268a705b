import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { cacheFolder, root } from "../setup/places.mjs";
import { run } from "../setup/run.mjs";
import { isExecutable, keep, which, windows } from "./kept.mjs";
import { isUsable, oldestUsable, versions } from "./version.mjs";

/** @typedef {import("./kept.mjs").Found} Found */

/**
 * A command that can be built from its Go module. A command has its own `go.mod` if it needs other versions of shared modules than the CLI does.
 *
 * @typedef {object} GoCommand
 * @property {string} what its name in messages
 * @property {string} version
 * @property {string} takes how long the build takes on two cores
 * @property {string} pinnedIn the folder with its `go.mod`, relative to the repository's root
 * @property {string} package
 * @property {string} [source] its source file, if this repository has it, relative to `pinnedIn`; a build is kept for each version of the file
 * @property {string} binary without `.exe`
 * @property {string} keptAs its folder in the cache, with a subfolder per version
 * @property {readonly string[]} tryOut arguments that make it exit successfully at once, if it runs at all
 * @property {string} [versionVariable] set to the version during the build; the command prints the version when it is tried out
 */

const pulumi = {
  package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
  binary: "pulumi",
  keptAs: "cli",
  takes: "about ten minutes",
  tryOut: ["version"],
};

/** @satisfies {Record<string, GoCommand>} */
export const goCommands = {
  /** The default CLI, unless an installed CLI is used instead. */
  cli: {
    ...pulumi,
    what: "the Pulumi CLI",
    version: versions.cli,
    pinnedIn: "tools",
    versionVariable: "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version",
  },
  /** The oldest supported CLI, for the long tests. */
  oldestCli: {
    ...pulumi,
    what: "the oldest Pulumi CLI",
    version: `${versions.oldest.pulumi}.0`,
    pinnedIn: "tools/go/oldest-cli",
    versionVariable: "github.com/pulumi/pulumi/pkg/v3/version.Version",
  },
  yamlHost: {
    what: "Pulumi's YAML host",
    version: versions.yamlHost,
    takes: "a few minutes",
    pinnedIn: "tools/go/yaml-host",
    package: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
    binary: "pulumi-language-yaml",
    keptAs: "yaml-host",
    tryOut: ["-help"],
  },
  /** Generates the packages for other languages. Its source is in this repository. */
  sdkGenerator: {
    what: "the generator of packages for other languages",
    version: versions.cli,
    takes: "a few minutes",
    pinnedIn: "tools",
    package: "./go/sdks",
    source: "go/sdks/main.go",
    binary: "recovery-sdks",
    keptAs: "sdks",
    tryOut: ["-help"],
  },
};

/** The engine starts this command for dynamic resources. The official download includes it. */
const launcherName = windows ? "pulumi-resource-pulumi-nodejs.cmd" : "pulumi-resource-pulumi-nodejs";
/** Without this, a CLI that prints its version also checks for a newer version. */
const quiet = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "1" };
const fileName = (/** @type {string} */ binary) => (windows ? `${binary}.exe` : binary);

/** The path of a kept command's folder, as a list of names. Its binaries are in `bin`, as in every Pulumi installation. */
function placeOf(/** @type {GoCommand} */ { keptAs, version, source, pinnedIn }) {
  if (source === undefined) return [keptAs, version];
  const digest = createHash("sha256")
    .update(readFileSync(join(root, pinnedIn, source)))
    .digest("hex");
  return [keptAs, `${version}-${digest.slice(0, 12)}`];
}

const whole = (/** @type {GoCommand} */ { keptAs }, /** @type {string} */ bin) =>
  keptAs !== pulumi.keptAs || existsSync(join(bin, launcherName));

/** The command's binary from an earlier setup, or undefined. */
export function keptBinary(/** @type {GoCommand} */ command) {
  const bin = join(cacheFolder(), ...placeOf(command), "bin");
  const path = join(bin, fileName(command.binary));
  return isExecutable(path) && whole(command, bin) ? path : undefined;
}

/**
 * Adds a command to the cache. `make` puts the binary into `<made>/bin`. This adds a missing launcher, and keeps the command only if it runs.
 *
 * @param {GoCommand} command
 * @param {string} doing what to show in the meantime
 * @param {(made: string) => Promise<import("../setup/run.mjs").Outcome>} make
 */
function keepCommand(command, doing, make) {
  return keep(placeOf(command), ["bin", fileName(command.binary)], doing, async (made) => {
    const outcome = await make(made);
    if (!outcome.ok) throw new Error(outcome.problem);
    const bin = join(made, "bin");
    if (!whole(command, bin)) {
      copyFileSync(join(root, "tools", "cli", launcherName), join(bin, launcherName));
      if (!windows) chmodSync(join(bin, launcherName), 0o755);
    }
    const tried = await run(join(bin, fileName(command.binary)), command.tryOut, { env: quiet, limitMs: 60_000 });
    if (!tried.ok) throw new Error(`it does not run: ${tried.problem}`);
    if (command.versionVariable !== undefined && !tried.stdout.includes(command.version))
      throw new Error(`it reports the version "${tried.stdout.trim()}", not ${command.version}`);
  });
}

/** The SDK's own installer, in a process that can be stopped if it takes too long. */
const install = `
  const { PulumiCommand } = require("@pulumi/pulumi/automation");
  const { SemVer } = require("semver");
  const [, root, version] = process.argv;
  void PulumiCommand.install({ root, version: new SemVer(version) });
`;

/** Downloads the official Pulumi CLI. @param {GoCommand} command @returns {Promise<Found>} */
export async function download(command) {
  const from = "https://get.pulumi.com";
  try {
    // Checks briefly for a network first, because the installer waits a long time if there is none.
    await fetch(from, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(3_000) });
  } catch (error) {
    const { cause, message } = /** @type {Error} */ (error);
    return { why: `no connection to ${new URL(from).host} (${cause instanceof Error ? cause.message : message})` };
  }
  return keepCommand(command, `downloading ${command.what} ${command.version} (once; about 200 MB)`, (made) =>
    run(process.execPath, ["-e", install, made, command.version], { cwd: root, limitMs: 15 * 60_000 }),
  );
}

/** Builds the unmodified command from the module that its `go.mod` and `go.sum` pin. @param {GoCommand} command @returns {Promise<Found>} */
export async function buildWithGo(command) {
  const { what, version, takes, versionVariable } = command;
  const go = await run("go", ["version"], { limitMs: 30_000 });
  if (!go.ok) return { why: go.problem.includes("ENOENT") ? "Go is not installed" : go.problem };
  const ldflags = versionVariable === undefined ? "-s -w" : `-s -w -X ${versionVariable}=v${version}`;
  const found = await keepCommand(command, `building ${what} ${version} with Go (once; ${takes})`, (made) =>
    run(
      "go",
      ["build", "-trimpath", "-ldflags", ldflags, "-o", join(made, "bin", fileName(command.binary)), command.package],
      {
        cwd: join(root, command.pinnedIn),
        env: {
          ...process.env,
          // Like the official builds, this build needs no C compiler.
          CGO_ENABLED: "0",
          GOWORK: "off",
          // If the build is stopped, its scratch files are removed together with the half-made folder.
          GOTMPDIR: dirname(made),
          // Without -modcacherw, downloaded modules are read-only and a user cannot remove the cache folder.
          GOFLAGS: `${process.env.GOFLAGS ?? ""} -modcacherw`.trim(),
        },
      },
    ),
  );
  // An unreachable module is a reason to do without the command, but an error in this repository's own source is not.
  if ("why" in found && command.source !== undefined && !isUnreachable(found.why)) throw new Error(found.why);
  return found;
}

/** Finds an installed CLI. @returns {Promise<Found>} */
export async function pulumiOnPath() {
  const found = which(fileName(pulumi.binary));
  if (found === undefined) return { why: "there is none" };
  const asked = await run(found, ["version"], { env: quiet, limitMs: 30_000 });
  if (!asked.ok) return { why: `${found} does not run: ${asked.problem}` };
  if (!isUsable(asked.stdout, oldestUsable()))
    return { why: `${found} is ${asked.stdout.trim()}, but ${oldestUsable()} or newer is needed` };
  // The engine looks for the launcher beside its own binary, not beside a link to it.
  const real = realpathSync(found);
  if (existsSync(join(dirname(real), launcherName)) || which(launcherName) !== undefined) return { path: real };
  return { why: `${found} has no ${launcherName} beside it` };
}

/** The official download of the CLI includes its language hosts. */
export function besideTheCli(/** @type {string} */ cli) {
  const host = join(dirname(cli), fileName(goCommands.yamlHost.binary));
  return isExecutable(host) ? host : undefined;
}

const signs =
  // oxlint-disable-next-line own/plain -- other programs' messages
  /no such host|connection refused|network is unreachable|i\/o timeout|TLS handshake timeout|Temporary failure in name resolution|Name or service not known|NewConnectionError|ConnectTimeoutError/i;

/** True if a command's output shows that it could not reach its source on the network. */
export function isUnreachable(/** @type {string} */ text) {
  return signs.test(text);
}
