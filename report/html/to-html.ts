import { sha256Of } from "../model/canonical";
import type { Report } from "../model/model";
import { claim, titleOf } from "../model/summary";
import { deviations, evidence } from "./evidence";
import { linksOf, type HtmlOptions } from "./links";
import { contents, markup } from "./parts";
import { page } from "./page";
import { checks, notCarriedOut, restores } from "./tables";
import { timeline } from "./timeline";
import { figures, findings, goals, masthead, verdict } from "./top";

/** One page that loads nothing and runs nothing: the verdict first, what it rests on last. */
export function toHtml(report: Report, options: HtmlOptions = {}): string {
  const links = linksOf(report, options);
  const sections = [
    findings(report, links),
    goals(report, links),
    timeline(report, links),
    restores(report, links),
    checks(report, links),
    notCarriedOut(report, links),
    deviations(report, links),
    evidence(report, sha256Of(report)),
  ];
  return page(
    `${titleOf(report)}: ${report.verdict.result}`,
    markup`${masthead(report)}<main>
${verdict(report)}${figures(report, links)}${contents(sections)}${sections}
</main>
<footer><p>${claim}</p></footer>`,
  );
}
