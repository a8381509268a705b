import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { forgetOuterSettings } from "../../tools/engine/environment";
import { Checkout } from "../../test/e2e/support/checkout";
import { Scene } from "../../test/e2e/support/scene";
import { seconds, type Case } from "../report";

/** Two runs of the engine may differ by this much. */
const sparedMs = 5_000;

const programs = {
  ours: 'const recovery = require("pulumi-recovery");\nexports.rows = recovery.getTransactionsOutput({ limit: 3 }).transactions;\n',
  plain:
    'const pulumi = require("@pulumi/pulumi");\nexports.rows = pulumi.output(1).apply(() => { throw new Error("the panel said 401"); });\n',
};

export const uncaught: Case = {
  name: "uncaught",
  async run() {
    forgetOuterSettings();
    const scene = await Scene.open();
    try {
      const panel = await scene.panel({ faults: { get: { unauthorized: true } } });
      const checkout = new Checkout(scene.folder, "javascript", panel);
      const node = (await checkout.run("node --version")).trim();
      await checkout.run("pulumi stack init bench");
      const ours = await failingUp(checkout, programs.ours);
      const plain = await failingUp(checkout, programs.plain);
      return {
        title: "An error that a program does not catch",
        about:
          `\`pulumi up\` of a project in JavaScript, on Node ${node}, from its start to its end. The panel refuses the credentials, and the ` +
          "program does not catch what `getTransactionsOutput` fails with; beside it an `apply` that throws an `Error`. The SDK " +
          "prints such an error with its stack, in colour, which takes Node 20 half a minute of full load; the errors of this package bring none.",
        columns: ["", "`up` has ended after"],
        rows: [
          ["getTransactionsOutput", seconds(ours)],
          ["an `apply` that throws", seconds(plain)],
        ],
        bars: [
          {
            claim: `at most ${seconds(sparedMs)} longer than the \`apply\``,
            measured: `${seconds(ours)} against ${seconds(plain)}`,
            met: ours <= plain + sparedMs,
          },
        ],
      };
    } finally {
      await scene.close();
    }
  },
};

async function failingUp(checkout: Checkout, program: string): Promise<number> {
  writeFileSync(join(checkout.folder, "index.js"), program);
  const startedAt = performance.now();
  const { code, output } = await checkout.start("pulumi up --yes --skip-preview --non-interactive").ended;
  if (code === 0) throw new Error(`the program should have failed:\n${output}`);
  return performance.now() - startedAt;
}
