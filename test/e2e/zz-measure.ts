import { createServer } from "node:net";
import * as recovery from "pulumi-recovery";
import { Scene } from "./support/scene";
import { inline } from "./support/inline";
import { listening } from "../support/listening";
import { forgetOuterSettings } from "../../tools/engine/environment";
import { execFileSync } from "node:child_process";
forgetOuterSettings();
async function one(count: number) {
  const scene = await Scene.open();
  const service = createServer((s) => s.end());
  const tcp = `127.0.0.1:${await listening(service as never)}`;
  const panel = await scene.panel({ speed: 100_000 });
  for (let id = 10_000; id < 10_000 + count; id++) panel.addMachine({ id, recoveryPoints: [1] });
  const program = inline(() => {
    if (count === 0) return {};
    const per = Math.ceil(count / 3);
    const waves = [0, 1, 2].map((w) => ({ name: `w${w}`, restores: Object.fromEntries(Array.from({ length: Math.min(per, count - w * per) }, (_, i) => [`m${w * per + i}`, { virtualMachineId: 10_000 + w * per + i, recoveryPointId: 1, timeouts: { settle: 0 }, checks: [{ tcp }] }])) }));
    return { verdict: new recovery.RecoveryPlan("shop", { run: "a", waves }).verdict };
  });
  const stack = await scene.stack(program);
  const t = async (f: () => Promise<unknown>) => { const b = Date.now(); await f(); return ((Date.now() - b) / 1000).toFixed(1); };
  const gets = () => panel.requests().filter(({ method }) => method === "GET").length;
  const up = await t(() => stack.upWithoutEvents()); const g = gets();
  const preview = await t(() => stack.preview({ expectNoChanges: count > 0 }));
  const again = await t(() => stack.upWithoutEvents());
  const state = JSON.stringify(await stack.resources()).length;
  console.log(JSON.stringify([count, { up, preview, again, posts: panel.acceptedPosts(), gets: g, state, perRestore: count ? Math.round(state / count) : 0 }]));
  if (count === 100) console.log(stack.runs[0]?.stdout.split("\n").slice(0, 60).join("\n").slice(0, 3000));
  await scene.close(); service.close();
}
(async () => { for (const n of [0, 100, 1000, 0, 100, 1000]) await one(n); console.log(execFileSync("uptime").toString()); })();
