#!/usr/bin/env node
/**
 * Makes a fresh clone ready, and costs next to nothing when it is:
 *
 *   node tools/setup.mjs                      dependencies, dist/, the Pulumi CLI
 *   node tools/setup.mjs --package            dependencies and dist/ only
 *   node tools/setup.mjs --print-cli          all of it; prints the path of the Pulumi CLI, and nothing else, on standard output
 *   node tools/setup.mjs --print-yaml-host    the same of one more command that some tests need: Pulumi's YAML host,
 *                        --print-oldest-cli   the oldest supported Pulumi CLI,
 *                        --print-s3-server    a server that speaks S3
 */
import { findCli, findOldestCli, findS3Server, findYamlHost } from "./cli/find.mjs";
import { say } from "./setup/say.mjs";
import { orSayWhy, setUp, setUpPackage } from "./setup/set-up.mjs";

/** @type {Readonly<Record<string, () => Promise<string>>>} */
const printed = {
  "--print-cli": findCli,
  "--print-yaml-host": findYamlHost,
  "--print-oldest-cli": findOldestCli,
  "--print-s3-server": findS3Server,
};

const [flag, ...more] = process.argv.slice(2);

await orSayWhy(async () => {
  if (flag === undefined) {
    say(`ready; the Pulumi CLI is ${await setUp()}`);
    return;
  }
  const find = printed[flag];
  if (more.length > 0 || (flag !== "--package" && find === undefined)) {
    const known = ["--package", ...Object.keys(printed)].join(", ");
    throw new Error(`unknown argument: ${process.argv.slice(2).join(" ")}; known are ${known}`);
  }
  await setUpPackage();
  if (find !== undefined) process.stdout.write(`${await find()}\n`);
});
