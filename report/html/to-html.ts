import { sha256Of } from "../model/canonical";
import type { Report } from "../model/model";
import { disclaimer, titleOf } from "../model/summary";
import { deviationsSection, evidenceSection } from "./evidence";
import { linksOf, type HtmlOptions } from "./links";
import { contents, markup } from "./parts";
import { page } from "./page";
import { changesSection, checksSection, notCarriedOutSection, restoresSection } from "./tables";
import { timelineSection } from "./timeline";
import { figuresSection, attentionSection, goalsSection, masthead, verdictSection } from "./top";

/** Renders one HTML page that loads nothing and runs nothing: the verdict first, its evidence last. */
export function toHtml(report: Report, options: HtmlOptions = {}): string {
  const links = linksOf(report, options);
  const sections = [
    attentionSection(report, links),
    goalsSection(report, links),
    timelineSection(report, links),
    restoresSection(report, links),
    checksSection(report, links),
    changesSection(report, links),
    notCarriedOutSection(report, links),
    deviationsSection(report, links),
    evidenceSection(report, sha256Of(report)),
  ];
  return page(
    `${titleOf(report)}: ${report.verdict.result}`,
    markup`${masthead(report)}<main>
${verdictSection(report)}${figuresSection(report, links)}${contents(sections)}${sections}
</main>
<footer><p>${disclaimer}</p></footer>`,
  );
}
