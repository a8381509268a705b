#!/usr/bin/env node
/**
 * Makes a fresh clone ready, and costs next to nothing when it is:
 *
 *   node tools/setup.mjs               dependencies, dist/, the Pulumi CLI
 *   node tools/setup.mjs --package     dependencies and dist/ only
 *   node tools/setup.mjs --print-cli   all of it; prints the path of the Pulumi CLI, and nothing else, on standard output
 */
import { say } from "./setup/say.mjs";
import { orSayWhy, setUp, setUpPackage } from "./setup/set-up.mjs";

const [flag, ...more] = process.argv.slice(2);

await orSayWhy(async () => {
  if (more.length > 0 || !["--package", "--print-cli", undefined].includes(flag)) {
    throw new Error(`unknown argument: ${process.argv.slice(2).join(" ")}; known are --package and --print-cli`);
  }
  if (flag === "--package") {
    await setUpPackage();
    return;
  }
  const cli = await setUp();
  if (flag === "--print-cli") process.stdout.write(`${cli}\n`);
  else say(`ready; the Pulumi CLI is ${cli}`);
});
