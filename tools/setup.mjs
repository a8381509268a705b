#!/usr/bin/env node
/**
 * Prepares a fresh clone; later runs take almost no time:
 *
 *   node tools/setup.mjs                dependencies, dist/, the Pulumi CLI
 *   node tools/setup.mjs --package      dependencies and dist/ only
 *   node tools/setup.mjs --print-cli    everything; prints only the path of the Pulumi CLI on standard output
 */
import { say } from "./setup/say.mjs";
import { reportingFailure, setUp, setUpPackage } from "./setup/set-up.mjs";

const args = process.argv.slice(2);

await reportingFailure(async () => {
  switch (args.join(" ")) {
    case "":
      await setUp();
      say("ready");
      break;
    case "--package":
      await setUpPackage();
      break;
    case "--print-cli":
      process.stdout.write(`${await setUp()}\n`);
      break;
    default:
      throw new Error(`unknown argument: ${args.join(" ")}; use --package or --print-cli`);
  }
});
