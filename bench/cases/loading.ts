import { execFileSync } from "node:child_process";
import { repositoryRoot } from "../../tools/engine/cli";
import { milliseconds, percent, type Case } from "../report";
import { median } from "../statistics";

const runs = 21;
const mostShare = 0.05;

const program = `
  const startedAt = performance.now();
  require("@pulumi/pulumi");
  const sdkLoadedAt = performance.now();
  const { VmRestore } = require("pulumi-recovery");
  const loadedAt = performance.now();
  require("@pulumi/pulumi").runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: name, state: inputs }),
    call: ({ inputs }) => inputs,
  }).then(() => {
    new VmRestore("web", { virtualMachineId: 42, recoveryPointId: 1007 });
    setImmediate(() => {
      const heavy = Object.keys(require.cache).filter((file) => /node_modules.(axios|fast-xml-parser)\\W/.test(file));
      console.log(JSON.stringify({ ms: loadedAt - sdkLoadedAt, sdkMs: sdkLoadedAt - startedAt, heavy: heavy.length }));
    });
  });`;

export const loading: Case = {
  name: "loading",
  run() {
    const measured = Array.from({ length: runs }, () => {
      const output = execFileSync(process.execPath, ["-e", program], { cwd: repositoryRoot, encoding: "utf8" });
      return JSON.parse(output) as { readonly ms: number; readonly sdkMs: number; readonly heavy: number };
    });
    const ms = median(measured.map((one) => one.ms));
    const sdkMs = median(measured.map((one) => one.sdkMs));
    const heavy = Math.max(...measured.map((one) => one.heavy));
    return Promise.resolve({
      title: "Loading the package",
      about: `\`require\` of the SDK, which every program loads, and then of this package in the same process; ${String(runs)} new processes. The limit is a share of the SDK's time: both are files that are read and compiled, so a busy or slow machine makes both longer.`,
      columns: ["", "median"],
      rows: [
        ["@pulumi/pulumi", milliseconds(sdkMs)],
        ["pulumi-recovery", milliseconds(ms)],
      ],
      bars: [
        {
          claim: `at most ${percent(mostShare)} of what the SDK takes`,
          measured: percent(ms / sdkMs),
          met: ms / sdkMs <= mostShare,
        },
        {
          claim: "a program that only declares a restore loads neither axios nor fast-xml-parser",
          measured: `${String(heavy)} of their files`,
          met: heavy === 0,
        },
      ],
    });
  },
};
