/** Writes the golden files of every format anew: `npm run golden`, then read the difference. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { goldenFiles } from "./golden";

for (const { file, text } of goldenFiles()) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
