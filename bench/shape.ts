import { forgetOuterSettings } from "/tmp/w/shrink/tools/engine/environment";
import { Scene } from "/tmp/w/shrink/test/e2e/support/scene";
import { machineIds, planOf, restoresOf, noOpPairsFor } from "/tmp/w/shrink/bench/engine/programs";
import { panelFor } from "/tmp/w/shrink/bench/engine/timed-up";
import { writeFileSync } from "node:fs";
(async () => {
  forgetOuterSettings();
  const n = Number(process.argv[3] ?? 5);
  const machines = machineIds(n);
  const program = { plan: planOf, restores: restoresOf, pairs: noOpPairsFor }[process.argv[2] as "plan"]!(machines);
  const scene = await Scene.open();
  try {
    await scene.panel(panelFor(machines, 0));
    const stack = await scene.stack(program);
    const c = process.cpuUsage(); const t = performance.now();
    await stack.upUnheard({ parallel: 100 });
    const d = process.cpuUsage(c); console.error("took", performance.now() - t, "program cpu", (d.user + d.system) / 1e6);
    writeFileSync("/tmp/shape.json", JSON.stringify(await stack.exportState(), null, 1));
  } finally { await scene.close(); }
})();
