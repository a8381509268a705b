import { forgetOuterSettings } from "../engine/environment";
import { failAndTryAgain, killAndPickUp, restore, showOutputs } from "./chapters";
import { leaveForLooking } from "./keep";
import { getCli, checkPanel } from "./before-the-engine";
import { startDemoPanel, createDemo } from "./demo";

async function main(args: readonly string[]): Promise<void> {
  const unknown = args.filter((arg) => arg !== "--keep");
  if (unknown.length > 0) throw new Error(`unknown argument: ${unknown.join(" ")}; known is --keep`);
  forgetOuterSettings();
  const demoPanel = await startDemoPanel();
  let kept = false;
  try {
    await checkPanel(demoPanel.panel);
    await getCli(demoPanel.panel);
    const demo = createDemo(demoPanel);
    await demo.pulumi("stack", "init", "demo");
    for (const chapter of [restore, killAndPickUp, failAndTryAgain, showOutputs]) {
      if (!demo.interrupted()) await chapter(demo);
    }
    if (args.includes("--keep") && !demo.interrupted()) {
      await leaveForLooking(demo);
      kept = true;
    }
  } finally {
    if (!kept) await demoPanel.clear();
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
