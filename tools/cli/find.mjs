import { dirname, join } from "node:path";
import { withLock } from "../setup/lock.mjs";
import { download } from "./download.mjs";
import { goBuild } from "./go-build.mjs";
import { goCommands } from "./go-commands.mjs";
import { fileName, isExecutable, keptBinary, keptFolder } from "./kept.mjs";
import { onPath } from "./on-path.mjs";
import { oldestUsable, pinnedVersion } from "./version.mjs";

/** @typedef {import("./go-commands.mjs").GoCommand} GoCommand */

/**
 * One way to a command. It gives the path of a binary that runs, or says why it cannot.
 *
 * @typedef {object} Way
 * @property {string} name
 * @property {() => Promise<{ cli: string } | { why: string }>} look
 */

/**
 * @param {GoCommand} command
 * @returns {Way}
 */
function kept(command) {
  return {
    name: `kept in ${keptFolder(command)}`,
    look: () => Promise.resolve(ready(keptBinary(command))),
  };
}

/** @param {string | undefined} cli */
function ready(cli) {
  return cli === undefined ? { why: "none" } : { cli };
}

/** The official download of the CLI brings its hosts along. @type {Way} */
const besideTheCli = {
  name: "beside the Pulumi CLI",
  async look() {
    const host = join(dirname(await findCli()), fileName(goCommands.yamlHost));
    return ready(isExecutable(host) ? host : undefined);
  },
};

/** Looks for the Pulumi CLI, cheapest way first, and obtains it where there is none. */
export function findCli() {
  const command = goCommands.cli;
  return find(command, [onPath, kept(command)], [download(command), goBuild(command)]);
}

/** Pulumi's YAML host, for tests of programs in YAML. */
export function findYamlHost() {
  const command = goCommands.yamlHost;
  return find(command, [kept(command), besideTheCli], [goBuild(command)]);
}

/** The oldest Pulumi CLI that is supported. */
export function findOldestCli() {
  const command = goCommands.oldestCli;
  return find(command, [kept(command)], [download(command), goBuild(command)]);
}

/** What makes the packages for other languages. */
export function findSdkGenerator() {
  const command = goCommands.sdkGenerator;
  return find(command, [kept(command)], [goBuild(command)]);
}

/** A server that speaks S3. */
export function findS3Server() {
  const command = goCommands.s3Server;
  return find(command, [kept(command)], [goBuild(command)]);
}

/**
 * @param {GoCommand} command
 * @param {readonly Way[]} there ways to one that is there
 * @param {readonly Way[]} obtained ways to get one; gone by one set-up at a time
 */
async function find(command, there, obtained) {
  const found = await firstOf(there);
  if ("cli" in found) return found.cli;
  const got = await withLock(`${keptFolder(command)}.lock`, () => firstOf([kept(command), ...obtained]));
  if ("cli" in got) return got.cli;
  throw new Error(missing([...found.tried, ...got.tried.slice(1)], command));
}

/**
 * @param {readonly Way[]} ways
 * @returns {Promise<{ cli: string } | { tried: string[] }>}
 */
export async function firstOf(ways) {
  const tried = [];
  for (const way of ways) {
    const outcome = await way.look();
    if ("cli" in outcome) return outcome;
    tried.push(`${way.name}: ${outcome.why}`);
  }
  return { tried };
}

const installGo = "Go, 1.25 or newer: https://go.dev/dl/";

/**
 * @param {readonly string[]} tried
 * @param {GoCommand} command
 */
export function missing(tried, command = goCommands.cli) {
  const lines = tried.map((line) => `  - ${line}`);
  if (command !== goCommands.cli) {
    return [
      `there is no ${command.binary} ${pinnedVersion(command)} (${command.what}), and no way to get it. Tried:`,
      ...lines,
      `Install ${installGo} (it is then built once, in a few minutes), and run the same command again`,
    ].join("\n");
  }
  return [
    "there is no Pulumi CLI that can be used, and no way to get one. Tried:",
    ...lines,
    "Install one of these two and run the same command again:",
    `  - the Pulumi CLI, ${oldestUsable()} or newer: https://www.pulumi.com/docs/install/`,
    `  - ${installGo} (the CLI is then built once, in a few minutes)`,
  ].join("\n");
}
