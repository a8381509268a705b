import { forgetOuterSettings } from "../engine/environment";
import { failAndTryAgain, killAndPickUp, restore, showOutputs } from "./chapters";
import { leaveForLooking } from "./keep";
import { getCli, lookAt } from "./look";
import { openHouse, openStage } from "./stage";

async function main(args: readonly string[]): Promise<void> {
  const unknown = args.filter((arg) => arg !== "--keep");
  if (unknown.length > 0) throw new Error(`unknown argument: ${unknown.join(" ")}; known is --keep`);
  forgetOuterSettings();
  const house = await openHouse();
  let kept = false;
  try {
    await lookAt(house.panel);
    await getCli(house.panel);
    const stage = openStage(house);
    await stage.pulumi("stack", "init", "demo");
    for (const chapter of [restore, killAndPickUp, failAndTryAgain, showOutputs]) {
      if (!stage.interrupted()) await chapter(stage);
    }
    if (args.includes("--keep") && !stage.interrupted()) {
      await leaveForLooking(stage);
      kept = true;
    }
  } finally {
    if (!kept) await house.clear();
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
