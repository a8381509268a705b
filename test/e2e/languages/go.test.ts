import { go } from "./support/go";
import { programOnPage } from "./support/page";
import { runsIn } from "./support/runs-in";

runsIn(go, { "the page's": () => programOnPage("go") });
