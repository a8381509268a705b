import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { repositoryRoot } from "../../tools/engine/cli";
import type { Case } from "../report";

/** Runs `decode.ts`, which stands alone, and takes over its table. */
export const decoding: Case = {
  name: "decoding",
  run() {
    const script = join(repositoryRoot, "bench", "decode.ts");
    const output = execFileSync(process.execPath, ["-r", "ts-node/register/transpile-only", script], {
      cwd: repositoryRoot,
      encoding: "utf8",
    });
    const table = output.split("\n").filter((line) => line.startsWith("│"));
    const [columns = [], ...rows] = table.map((line) =>
      line
        .split("│")
        .slice(2, -1)
        .map((cell) => cell.trim().replace(/^'(.*)'$/, "$1")),
    );
    return Promise.resolve({
      title: "Decoding 1,000 detailed rows",
      about: "Medians; `JSON.parse` alone reads the same bytes and checks nothing.",
      columns,
      rows,
      bars: [],
    });
  },
};
