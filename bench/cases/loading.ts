import { execFileSync } from "node:child_process";
import { repositoryRoot } from "../../tools/engine/cli";
import { milliseconds, type Case } from "../report";
import { median } from "../statistics";

const runs = 21;
const mostMs = 15;

const program = `
  require("@pulumi/pulumi");
  const startedAt = performance.now();
  const { VmRestore } = require("pulumi-recovery");
  const ms = performance.now() - startedAt;
  require("@pulumi/pulumi").runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: name, state: inputs }),
    call: ({ inputs }) => inputs,
  }).then(() => {
    new VmRestore("web", { virtualMachineId: 42, recoveryPointId: 1007 });
    setImmediate(() => {
      const heavy = Object.keys(require.cache).filter((file) => /node_modules.(axios|fast-xml-parser)\\W/.test(file));
      console.log(JSON.stringify({ ms, heavy: heavy.length }));
    });
  });`;

export const loading: Case = {
  name: "loading",
  run() {
    const measured = Array.from({ length: runs }, () => {
      const output = execFileSync(process.execPath, ["-e", program], { cwd: repositoryRoot, encoding: "utf8" });
      return JSON.parse(output) as { readonly ms: number; readonly heavy: number };
    });
    const ms = median(measured.map((one) => one.ms));
    const heavy = Math.max(...measured.map((one) => one.heavy));
    return Promise.resolve({
      title: "Loading the package",
      about: `\`require("pulumi-recovery")\` in a program that has loaded \`@pulumi/pulumi\`; ${String(runs)} new processes.`,
      columns: ["", "median"],
      rows: [["pulumi-recovery", milliseconds(ms)]],
      bars: [
        { claim: `at most ${String(mostMs)} ms`, measured: milliseconds(ms), met: ms <= mostMs },
        {
          claim: "a program that only declares a restore loads neither axios nor fast-xml-parser",
          measured: `${String(heavy)} of their files`,
          met: heavy === 0,
        },
      ],
    });
  },
};
