#!/usr/bin/env node
/**
 * Sets up and runs the demo, even on a fresh clone. `--keep` leaves the panel and the stack for looking around.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder, root } from "./setup/places.mjs";
import { runNode } from "./setup/run.mjs";
import { reportingFailure, setUpPackage } from "./setup/set-up.mjs";

const first = [
  ...(existsSync(join(root, "node_modules")) ? [] : ["the dependencies (a minute)"]),
  ...(existsSync(join(cacheFolder(), "cli"))
    ? []
    : ["the Pulumi CLI (a download, or about ten minutes of building it with Go)"]),
];
console.log(
  "▸ Restores that go well, are killed and fail: a minute or two on the real Pulumi engine, against a simulated panel.",
);
if (first.length > 0) console.log(`▸ Got first, once: ${first.join(", and ")}. The panel is there before the CLI is.`);

await reportingFailure(async () => {
  // The demo gets the CLI itself, because it has something to show in the meantime.
  await setUpPackage();
  const script = join(root, "tools", "demo", "main.ts");
  process.exitCode = await runNode(["-r", "ts-node/register", script, ...process.argv.slice(2)], process.env);
});
