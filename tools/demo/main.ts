import { forgetOuterSettings } from "../engine/environment";
import { checkPanel, failAndTryAgain, killAndPickUp, restore, showOutputs, waitForLooking } from "./chapters";
import { startDemo } from "./demo";

async function main(args: readonly string[]): Promise<void> {
  const unknown = args.filter((arg) => arg !== "--keep");
  if (unknown.length > 0) throw new Error(`unknown argument: ${unknown.join(" ")}; known is --keep`);
  forgetOuterSettings();
  const demo = await startDemo();
  try {
    const kept = args.includes("--keep") ? [waitForLooking] : [];
    for (const chapter of [checkPanel, restore, killAndPickUp, failAndTryAgain, showOutputs, ...kept]) {
      if (!demo.interrupted()) await chapter(demo);
    }
  } finally {
    await demo.clear();
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
