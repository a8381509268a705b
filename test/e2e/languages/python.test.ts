import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../../tools/engine/cli";
import { programOnPage } from "./support/page";
import { python } from "./support/python";
import { runsIn } from "./support/runs-in";

runsIn(python, {
  "the page's": () => programOnPage("python"),
  "the example's": () => readFileSync(join(repositoryRoot, "examples", "python", "__main__.py"), "utf8"),
});
