import { forgetOuterSettings } from "../engine/environment";
import { restoreOnce, runAgain } from "./chapters";
import { openStage } from "./stage";
import { leaveForLooking } from "./keep";

async function main(args: readonly string[]): Promise<void> {
  const unknown = args.filter((arg) => arg !== "--keep");
  if (unknown.length > 0) throw new Error(`unknown argument: ${unknown.join(" ")}; known is --keep`);
  forgetOuterSettings();
  const stage = await openStage();
  let kept = false;
  try {
    for (const chapter of [restoreOnce, runAgain]) {
      if (!stage.interrupted()) await chapter(stage);
    }
    if (args.includes("--keep") && !stage.interrupted()) {
      await leaveForLooking(stage);
      kept = true;
    }
  } finally {
    if (!kept) await stage.clear();
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
