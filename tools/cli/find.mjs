import { say } from "../setup/say.mjs";
import { besideTheCli, buildWithGo, download, goCommands, keptBinary, pulumiOnPath } from "./commands.mjs";
import { which } from "./kept.mjs";
import { findBrowser, findNode, findPython } from "./runtimes.mjs";
import { oldestUsable } from "./version.mjs";

/** @typedef {import("./commands.mjs").GoCommand} GoCommand */
/** @typedef {import("./kept.mjs").Found} Found */

/** Ways to get a command, by name. @typedef {Readonly<Record<string, () => Found | Promise<Found>>>} Ways */

/**
 * Finds the Pulumi CLI. The official CLI of the pinned version comes first, because it is the same everywhere and includes its language hosts. A CLI kept from
 * an earlier setup counts as official, so the network is used only once. An installed CLI comes second. A build comes last, because it is slow.
 */
export async function findCli() {
  const found = await firstOf(goCommands.cli, {
    "kept from an earlier set-up": () => foundAt(keptBinary(goCommands.cli)),
    ...downloadOf(goCommands.cli),
    "pulumi on PATH": pulumiOnPath,
    ...buildOf(goCommands.cli),
  });
  if ("why" in found) throw new Error(found.why);
  say([`the Pulumi CLI is ${found.path} (${found.way})`, ...found.tried].join("; "));
  return found.path;
}

/** The ways to get other commands that some tests need. @type {Readonly<Record<string, readonly [GoCommand, Ways]>>} */
const others = {
  "yaml-host": [goCommands.yamlHost, buildOf(goCommands.yamlHost)],
  "oldest-cli": [goCommands.oldestCli, { ...downloadOf(goCommands.oldestCli), ...buildOf(goCommands.oldestCli) }],
  "sdk-generator": [goCommands.sdkGenerator, buildOf(goCommands.sdkGenerator)],
};

/**
 * Finds or gets something that some tests need. A test run does this before its first test and puts the result into the environment.
 *
 * @param {string} name a key of `others`, or `browser`, `python`, `promtool`, or `node-` followed by a version
 * @param {{ get?: boolean }} [options] with `get: false`, only existing installations are used
 * @returns {Promise<Found>}
 */
export async function find(name, { get = true } = {}) {
  /** @type {Record<string, Found>} */
  const looked = JSON.parse(process.env.PULUMI_RECOVERY_FOUND ?? "{}");
  const known = looked[name];
  if (known !== undefined) return known;
  if (name === "browser") return findBrowser();
  if (name === "python") return findPython();
  if (name === "promtool") return foundAt(which(name), "there is no promtool on PATH: it is part of Prometheus");
  if (name.startsWith("node-")) return findNode(name.slice("node-".length));
  const [command, ways] = others[name] ?? [];
  if (command === undefined) throw new Error(`the setup does not know ${name}`);
  const there =
    keptBinary(command) ??
    (command === goCommands.yamlHost ? besideTheCli(process.env.PULUMI_RECOVERY_CLI ?? (await findCli())) : undefined);
  if (there !== undefined) return { path: there };
  return get ? firstOf(command, { ...ways }) : { why: `${command.what} is not installed yet` };
}

/** Used as a reason that messages do not show. */
const none = "none";

/** @returns {Found} */
function foundAt(/** @type {string | undefined} */ path, why = none) {
  return path === undefined ? { why } : { path };
}

/** @returns {Ways} */
function downloadOf(/** @type {GoCommand} */ command) {
  return { [`official download of ${command.version}`]: () => download(command) };
}

/** @returns {Ways} */
function buildOf(/** @type {GoCommand} */ command) {
  return { [`build of ${command.version} with Go`]: () => buildWithGo(command) };
}

async function firstOf(/** @type {GoCommand} */ command, /** @type {Ways} */ ways) {
  const tried = [];
  for (const [way, look] of Object.entries(ways)) {
    const outcome = await look();
    if ("path" in outcome) return { path: outcome.path, way, tried };
    if (outcome.why !== none) tried.push(`${way}: ${outcome.why}`);
  }
  const { binary, version, what, takes } = command;
  const isCli = command === goCommands.cli;
  const why = [
    `there is no ${binary} ${version} (${what}), and no way to get it. Tried:`,
    ...tried.map((line) => `  - ${line}`),
    ...(isCli ? [`Install the Pulumi CLI, ${oldestUsable()} or newer (https://www.pulumi.com/docs/install/), or`] : []),
    `${isCli ? "i" : "I"}nstall Go, 1.25 or newer: https://go.dev/dl/ (it is then built once, in ${takes}), and run the same command again`,
  ].join("\n");
  return { why };
}
