/** Rewrites the golden files in every format: run `npm run golden`, then review the diff. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { folder, goldenFiles } from "./golden";

const files = goldenFiles();
rmSync(folder, { recursive: true, force: true });
for (const { file, text } of files) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
