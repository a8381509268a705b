import { dirname, join } from "node:path";
import { findBrowser } from "../browser/find.mjs";
import { findPython } from "../languages/python.mjs";
import { say } from "../setup/say.mjs";
import { findNode } from "../supported/node.mjs";
import { download } from "./download.mjs";
import { goBuild } from "./go-build.mjs";
import { goCommands } from "./go-commands.mjs";
import { fileName, isExecutable, keptBinary } from "./kept.mjs";
import { onPath, which } from "./on-path.mjs";
import { oldestUsable, pinnedVersion } from "./version.mjs";

/** @typedef {import("./go-commands.mjs").GoCommand} GoCommand */

/**
 * The path of an executable, or the reason why there is none.
 *
 * @typedef {{ path: string } | { why: string }} Found
 */

/**
 * One way to obtain a command.
 *
 * @typedef {object} Way
 * @property {string} name
 * @property {() => Promise<Found>} look
 */

/** @typedef {{ path: string, way: string, tried: string[] } | { tried: string[] }} Looked */

/**
 * Finds the Pulumi CLI. The official one of the pinned version comes first: it is the same everywhere and includes its language hosts. A CLI kept by
 * an earlier set-up counts as official, so the network is used once. An installed CLI comes second, and a build, which takes long, last.
 */
export async function findCli() {
  const command = goCommands.cli;
  const found = await firstOf([kept(command), download(command), onPath, goBuild(command)]);
  if (!("path" in found)) throw new Error(missingMessage(found.tried));
  say([`the Pulumi CLI is ${found.path} (${found.way})`, ...found.tried].join("; "));
  return found.path;
}

/**
 * Other commands that some tests need, by name, with ways to find and to get them.
 *
 * @typedef {{ command: GoCommand, there?: readonly Way[], got: readonly Way[] }} Other
 * @type {Readonly<Record<string, Other>>}
 */
const otherCommands = {
  "yaml-host": { command: goCommands.yamlHost, there: [besideTheCli()], got: [goBuild(goCommands.yamlHost)] },
  "oldest-cli": { command: goCommands.oldestCli, got: [download(goCommands.oldestCli), goBuild(goCommands.oldestCli)] },
  "sdk-generator": { command: goCommands.sdkGenerator, got: [goBuild(goCommands.sdkGenerator)] },
};

/**
 * Finds a need of some tests, or gets it. A run of the tests does this before its first test and puts the result into the
 * environment.
 *
 * @param {string} name of `otherCommands`, `browser`, `python`, `promtool`, or `node-` and a version
 * @param {{ get?: boolean }} [options] with `get: false`, only existing installations count
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
  const other = otherCommands[name];
  if (other === undefined) throw new Error(`set-up knows nothing of ${name}`);
  const { command, there = [], got } = other;
  const found = await firstOf([kept(command), ...there, ...(get ? got : [])]);
  if ("path" in found) return { path: found.path };
  return { why: get ? missingMessage(found.tried, command) : `${command.what} is not there yet` };
}

/**
 * @param {GoCommand} command
 * @returns {Way}
 */
function kept(command) {
  return {
    name: "kept from an earlier set-up",
    look: () => Promise.resolve(foundAt(keptBinary(command))),
  };
}

/**
 * The official download of the CLI includes its language hosts.
 *
 * @returns {Way}
 */
function besideTheCli() {
  return {
    name: "beside the Pulumi CLI",
    async look() {
      const cli = process.env.PULUMI_RECOVERY_CLI ?? (await findCli());
      const host = join(dirname(cli), fileName(goCommands.yamlHost));
      return foundAt(isExecutable(host) ? host : undefined);
    },
  };
}

/** Not worth a line. */
const none = "none";

/** @param {string | undefined} path */
function foundAt(path, why = none) {
  return path === undefined ? { why } : { path };
}

/**
 * @param {readonly Way[]} ways
 * @returns {Promise<Looked>}
 */
async function firstOf(ways) {
  const tried = [];
  for (const way of ways) {
    const outcome = await way.look();
    if ("path" in outcome) return { path: outcome.path, way: way.name, tried };
    if (outcome.why !== none) tried.push(`${way.name}: ${outcome.why}`);
  }
  return { tried };
}

const installGo = "Go, 1.25 or newer: https://go.dev/dl/";

/**
 * @param {readonly string[]} tried
 * @param {GoCommand} command
 */
function missingMessage(tried, command = goCommands.cli) {
  const isCli = command === goCommands.cli;
  return [
    `there is no ${command.binary} ${pinnedVersion(command)} (${command.what}), and no way to get it. Tried:`,
    ...tried.map((line) => `  - ${line}`),
    ...(isCli ? [`Install the Pulumi CLI, ${oldestUsable()} or newer (https://www.pulumi.com/docs/install/), or`] : []),
    `${isCli ? "i" : "I"}nstall ${installGo} (it is then built once, in ${command.takes}), and run the same command again`,
  ].join("\n");
}
