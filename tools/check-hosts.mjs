#!/usr/bin/env node
/**
 * No tracked file may name a package registry: a clone has to install from whichever registry its machine is
 * configured for, and a lockfile that names another one breaks that.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./setup/places.mjs";

const known = [/registry\.(npmjs|yarnpkg)\./, /(proxy|sum)\.golang\.org/, /"resolved": "https?:/];

const configured = [
  ...hosts(ask("npm", ["config", "get", "registry"])),
  ...hosts(ask("go", ["env", "GOPROXY"])),
  ...hosts(ask("go", ["env", "GOSUMDB"])),
];

const files = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" }).split("\0").filter(Boolean);
const found = files
  .filter((file) => existsSync(join(root, file)))
  .flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const hit = known.find((pattern) => pattern.test(text)) ?? configured.find((host) => text.includes(host));
    return hit === undefined ? [] : [`${file}: ${String(hit)}`];
  });

if (found.length > 0) {
  console.error(`these files name a package registry:\n${found.map((line) => `  ${line}`).join("\n")}`);
  process.exitCode = 1;
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 */
function ask(command, args) {
  try {
    return execFileSync(command, args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch {
    return "";
  }
}

/** @param {string} text */
function hosts(text) {
  return [...text.matchAll(/https?:\/\/(?:[^/@\s]*@)?([^/\s,|:]+)/g)].flatMap((match) => match[1] ?? []);
}
