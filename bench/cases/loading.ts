import { execFileSync } from "node:child_process";
import { repositoryRoot } from "../../tools/engine/cli";
import { type Case, milliseconds, percent } from "../report";
import { median } from "../statistics";

const runs = 21;
const mostShare = 0.03;
const mostFirstCallMs = 50;

/** A program that loads the SDK and this package. `ms` is the time for this package alone. */
const program = `
  const startedAt = performance.now();
  require("@pulumi/pulumi");
  const sdkLoadedAt = performance.now();
  const { VmRestore } = require("pulumi-recovery");
  const ms = performance.now() - sdkLoadedAt;
  console.log(JSON.stringify({ ms, sdkMs: sdkLoadedAt - startedAt }));`;

/** A provider process's first call, which checks a resource. `ms` includes loading this package. */
const firstCall = `
  require("@pulumi/pulumi");
  const startedAt = performance.now();
  const handler = require("pulumi-recovery/dynamic").vmRestore;
  handler.configure({ config: { get: () => undefined, require: () => "" } });
  handler.check({}, { virtualMachineId: "42", recoveryPointId: "1007" });
  console.log(JSON.stringify({ ms: performance.now() - startedAt, sdkMs: 0 }));`;

export const loading: Case = {
  name: "loading",
  run() {
    const programs = measured(program);
    const ms = median(programs.map((one) => one.ms));
    const sdkMs = median(programs.map((one) => one.sdkMs));
    const firstCallMs = median(measured(firstCall).map((one) => one.ms));
    return Promise.resolve({
      title: "Loading the package",
      about:
        "In the program: the time to `require` the SDK, which every program loads, and then this package. In the provider process: the time to load this package, " +
        `read its settings and check the first restore, none of which a no-op provider does. Medians of ${String(runs)} new processes each.`,
      columns: ["", "median"],
      rows: [
        ["the SDK in the program", milliseconds(sdkMs)],
        ["pulumi-recovery in the program", milliseconds(ms)],
        ["the first call in the provider process", milliseconds(firstCallMs)],
      ],
      bars: [
        {
          claim: `in the program, at most ${percent(mostShare)} of the time for the SDK`,
          measured: percent(ms / sdkMs),
          met: ms / sdkMs <= mostShare,
        },
        {
          claim: `the first call takes at most ${milliseconds(mostFirstCallMs)}`,
          measured: milliseconds(firstCallMs),
          met: firstCallMs <= mostFirstCallMs,
        },
      ],
    });
  },
};

function measured(script: string): readonly { readonly ms: number; readonly sdkMs: number }[] {
  return Array.from({ length: runs }, () => {
    const output = execFileSync(process.execPath, ["-e", script], { cwd: repositoryRoot, encoding: "utf8" });
    return JSON.parse(output) as { readonly ms: number; readonly sdkMs: number };
  });
}
