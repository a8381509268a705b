import { createHash } from "node:crypto";
import { markup, type Part, Markup } from "./parts";

const light = `
  --ink: #1a2230; --soft: #55606f; --line: #d9dfe6; --paper: #ffffff; --band: #f5f7f9; --link: #0b5cad;
  --good: #17663c; --good-ground: #e8f4ec; --warn: #7a4d00; --warn-ground: #fcf3df;
  --bad: #a5211a; --bad-ground: #fceceb; --open: #43478a; --open-ground: #eeeffa;
  --run: #2f6db0; --queue: #6c7c90; --check: #1f8a83; --goal: #b04a00;`;

const dark = `
  --ink: #e6eaf0; --soft: #a5b0be; --line: #333c48; --paper: #12161c; --band: #191f27; --link: #7cb8f2;
  --good: #7fd3a1; --good-ground: #15301f; --warn: #eebf66; --warn-ground: #33280f;
  --bad: #ff9d94; --bad-ground: #3b1917; --open: #b3b8f5; --open-ground: #22244a;
  --run: #5b9bdc; --queue: #8b9bb0; --check: #45b5ac; --goal: #f09a55;`;

/** Color is never the only cue: shapes or words always say the same. Printed pages are always light. */
const style = `
:root { color-scheme: light dark; ${light} }
@media screen and (prefers-color-scheme: dark) { :root { ${dark} } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere;
}
main, header, footer { max-width: 77rem; margin: 0 auto; padding: 0 1.5rem; }
header { padding-top: 2.75rem; }
h1, h2, h3 { line-height: 1.2; text-wrap: balance; margin: 0; }
h1 { font-size: clamp(1.6rem, 1.2rem + 1.8vw, 2.3rem); font-weight: 650; letter-spacing: -.018em; }
h2 { font-size: 1.25rem; font-weight: 620; letter-spacing: -.008em; margin: 3rem 0 .35rem; }
h3 { font-size: 1rem; font-weight: 620; }
p { margin: .4rem 0; max-width: 46rem; }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 3px; border-radius: 3px; }
.eyebrow { color: var(--soft); font-size: .8rem; letter-spacing: .07em; text-transform: uppercase; font-weight: 600; margin: 0 0 .5rem; }
.meta { color: var(--soft); display: flex; flex-wrap: wrap; gap: .15rem 1.4rem; margin: .7rem 0 0; padding: 0; list-style: none; font-size: .925rem; }
.about { color: var(--soft); font-size: .925rem; margin-bottom: 1rem; }
.soft { color: var(--soft); }
.small { font-size: .8125rem; }
.nowrap { white-space: nowrap; }
code, pre { font: .8125rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; }

.verdict { display: grid; grid-template-columns: auto 1fr; gap: .1rem 1.1rem; align-items: center; margin: 1.9rem 0 0; padding: 1.35rem 1.6rem; border-radius: 10px; border: 1px solid currentColor; }
.verdict .mark { width: 44px; height: 44px; grid-row: span 2; align-self: start; margin-top: .1rem; }
.verdict h2 { margin: 0; font-size: 1.55rem; font-weight: 680; }
.verdict p { margin: 0; color: var(--ink); }
.verdict ul { grid-column: 2; margin: .8rem 0 0; padding: 0 0 0 1.1rem; color: var(--ink); max-width: 52rem; }
.verdict li { margin: .2rem 0; } .verdict .fold { grid-column: 2; color: var(--ink); } .verdict .fold > summary { border-color: currentColor; }
.good { color: var(--good); } .warn { color: var(--warn); } .bad { color: var(--bad); } .open { color: var(--open); }
.verdict.good { background: var(--good-ground); } .verdict.warn { background: var(--warn-ground); }
.verdict.bad { background: var(--bad-ground); } .verdict.open { background: var(--open-ground); }

.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(12.5rem, 1fr)); gap: 1px; margin: 1.25rem 0 0; background: var(--line); border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
.figures > div { background: var(--paper); padding: .95rem 1.2rem 1.05rem; }
.figures dt { color: var(--soft); font-size: .8125rem; }
.figures dd { margin: 0; }
.figures .value { font-size: 1.4rem; font-weight: 620; line-height: 1.35; letter-spacing: -.01em; overflow-wrap: normal; }

.contents ul { display: flex; flex-wrap: wrap; gap: .3rem 1.4rem; list-style: none; margin: 1.25rem 0 0; padding: 0; font-size: .925rem; }
.contents a { display: inline-block; padding: .15rem 0; }
:target { scroll-margin-top: 1rem; } li:target { outline: 2px solid var(--link); outline-offset: 4px; }
.scroll { position: relative; margin-top: .7rem; overflow-x: auto; border: 1px solid var(--line); border-radius: 10px; background: var(--paper); }
table { border-collapse: separate; border-spacing: 0; width: 100%; font-size: .8438rem; line-height: 1.4; }
th, td { text-align: left; vertical-align: top; padding: .5rem .55rem; border-bottom: 1px solid var(--line); overflow-wrap: normal; }
thead th { background: var(--band); color: var(--soft); font-weight: 600; font-size: .78rem; vertical-align: bottom; }
tbody th { font-weight: 600; min-width: 7.5rem; overflow-wrap: anywhere; }
tbody:last-child tr:last-child > * { border-bottom: 0; }
td.long, th.long { overflow-wrap: anywhere; min-width: 13rem; }
.sub { display: block; font-weight: 400; color: var(--soft); font-size: .8125rem; } .sub.bad { color: var(--bad); } .sub.open { color: var(--open); }
.sticky { position: sticky; left: 0; background: var(--paper); z-index: 1; } thead .sticky { background: var(--band); }
.word { white-space: nowrap; font-weight: 600; }
.word svg { width: 1em; height: 1em; vertical-align: -.13em; margin-right: .35em; }

.wave { margin: 1rem 0 0; padding: .8rem 1.1rem; border: 1px solid var(--line); border-radius: 10px; }
.wave h3 .soft { font-weight: 400; font-size: .85rem; }
.restores { list-style: none; margin: 0; padding: 0; }
.restore { display: grid; grid-template-columns: 17rem minmax(0, 1fr) 6rem; gap: 0 .9rem; align-items: center; padding: .45rem 0; border-top: 1px solid var(--line); font-size: .9063rem; }
.restore:first-child { border-top: 0; }
.restore p { margin: 0; max-width: none; } .restore .who { grid-column: 1; min-width: 0; } .took { grid-column: 3; text-align: right; white-space: nowrap; font-weight: 600; }
.line { grid-column: 1 / -1; list-style: none; margin: 0; padding: 0; font-size: .8125rem; color: var(--soft); } .line > li { display: inline; } .line > li + li::before { content: " · "; }
.line .bad { color: var(--bad); } .line .open { color: var(--open); } .line .word svg { margin-right: .25em; }
.bar { display: block; width: 100%; height: 22px; overflow: visible; }
.axis { display: grid; grid-template-columns: 17rem minmax(0, 1fr) 6rem; column-gap: .9rem; } .axis svg { grid-column: 2; display: block; width: 100%; height: 20px; overflow: visible; } .axis text { fill: var(--soft); font-size: 11.5px; } .axis text.goal { fill: var(--goal); font-weight: 600; }
.grid line { stroke: var(--line); } .grid line.goal { stroke: var(--goal); stroke-width: 1.5; stroke-dasharray: 5 3; }
.q { stroke: var(--queue); stroke-width: 3; stroke-dasharray: 3 2; }
.r { fill: var(--run); } .r.bad { fill: var(--bad); } .r.open { fill: none; stroke: var(--open); stroke-width: 1.5; stroke-dasharray: 5 3; }
.c { fill: url(#checking); stroke: var(--check); } #checking path { stroke: var(--check); }
.x { stroke: var(--bad); stroke-width: 2.5; stroke-linecap: round; }
.defs { position: absolute; width: 0; height: 0; }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.5rem; list-style: none; padding: 0; margin: .1rem 0 0; font-size: .8438rem; color: var(--soft); }
.legend svg { width: 34px; height: 16px; vertical-align: -4px; margin-right: .4rem; overflow: visible; }

.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 27rem), 1fr)); column-gap: 3rem; margin: .6rem 0; }
.facts > div { display: grid; grid-template-columns: 9.5rem minmax(0, 1fr); gap: 1rem; padding: .42rem 0; border-bottom: 1px solid var(--line); font-size: .9063rem; }
.facts dt { color: var(--soft); } .facts dd { margin: 0; }
.hash { display: block; padding: .7rem .9rem; margin: .9rem 0 .3rem; background: var(--band); border: 1px solid var(--line); border-radius: 8px; }
details { margin: .9rem 0; } summary { cursor: pointer; font-weight: 600; }
.fold { margin: .7rem 0 0; } .fold > summary { padding: .5rem .9rem; border: 1px solid var(--line); border-radius: 10px; font-size: .9063rem; } .fold > .scroll { margin-top: .4rem; }
pre { overflow: auto; max-height: 32rem; padding: .9rem 1rem; background: var(--band); border: 1px solid var(--line); border-radius: 8px; white-space: pre-wrap; margin: .6rem 0; }
footer { color: var(--soft); font-size: .8438rem; padding-top: 2.5rem; padding-bottom: 3rem; }
.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

@media (max-width: 44rem) {
  .axis .wide { display: none; }
  main, header, footer { padding-left: 1rem; padding-right: 1rem; }
  header { padding-top: 1.6rem; }
  h2 { margin-top: 2.4rem; }
  .verdict { padding: 1.1rem 1rem; column-gap: .8rem; } .verdict .mark { width: 34px; height: 34px; } .verdict ul, .verdict .fold { grid-column: 1 / -1; }
  .figures { grid-template-columns: 1fr 1fr; } .figures > div:last-child:nth-child(odd) { grid-column: 1 / -1; } .figures > div { padding: .75rem .85rem; } .figures .value { font-size: 1.15rem; }
  .wave { padding: .6rem .8rem; }
  .restore { grid-template-columns: minmax(0, 1fr) auto; } .restore .who { grid-column: 1; } .took { grid-column: 2; grid-row: 1; } .bar { grid-column: 1 / -1; grid-row: 2; height: 18px; } .axis { display: block; }
  .sticky { max-width: 8.5rem; min-width: 7rem; box-shadow: 1px 0 0 var(--line); }
  .facts > div { grid-template-columns: 7.5rem minmax(0, 1fr); gap: .7rem; }
  .facts { column-gap: 0; }
}
@media (max-width: 34rem) {
  table, tbody, tr, tbody th, td { display: block; } thead { position: absolute; width: 1px; height: 1px; overflow: hidden; }
  tr { padding: .5rem 0; border-bottom: 1px solid var(--line); } tbody:last-child tr:last-child { border-bottom: 0; }
  tbody th.sticky { position: static; box-shadow: none; max-width: none; } tbody th, td { border-bottom: 0; padding: .12rem .55rem; }
  td::before { content: attr(data-head) " "; color: var(--soft); }
}
@page { size: A4; margin: 14mm 13mm 16mm; @bottom-right { content: counter(page) " / " counter(pages); font: 8pt system-ui, sans-serif; color: #55606f; } }
@media print {
  body { font-size: 9.5pt; line-height: 1.45; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  main, header, footer { max-width: none; padding: 0; } header { padding-top: 0; }
  h1 { font-size: 19pt; } h2 { font-size: 12.5pt; margin-top: 20pt; break-after: avoid; } h3, .about, .legend, .axis, summary, thead { break-after: avoid; }
  .verdict, .figures, .facts > div, tr, li { break-inside: avoid; }
  .figures { grid-template-columns: repeat(3, 1fr); } .figures > div:last-child:nth-child(odd) { grid-column: auto; }
  .figures .value { font-size: 12.5pt; } .about { font-size: 8.5pt; } .small { font-size: 7.3pt; }
  .wave { padding: 6pt 8pt; } .axis .wide { display: none; } .restore { font-size: 8.5pt; padding: 3pt 0; grid-template-columns: 13rem minmax(0, 1fr) 5rem; } .axis { grid-template-columns: 13rem minmax(0, 1fr) 5rem; } .line { font-size: 7.3pt; } .bar { height: 15px; } .scroll { overflow: visible; border: 0; }
  table { font-size: 7.3pt; } th, td { padding: 3pt 4pt; } thead th, .sub { font-size: 6.8pt; } tbody th { min-width: 7rem; } td.long, th.long { min-width: 0; }
  .sticky { position: static; }
  .facts { grid-template-columns: 1fr 1fr; column-gap: 16pt; } .facts > div { grid-template-columns: 6.5rem minmax(0, 1fr); font-size: 8pt; padding: 2.5pt 0; }
  pre { max-height: none; } code, pre { font-size: 7.2pt; }
  details:not([open], .fold) { display: none; } .fold::details-content { content-visibility: visible; display: block; } .fold > summary { border: 0; padding: 0; list-style: none; font-size: 8.5pt; }
  .screen { display: none; } a { color: inherit; text-decoration: none; }
}
`;

/**
 * Builds a page in one file, with additional style rules if given. The page loads nothing and runs nothing. Its security policy allows only the
 * style sheet, by its hash, so style attributes have no effect.
 */
export function page(title: string, body: Part, ownStyle = ""): string {
  const sheet = new Markup(style + ownStyle);
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${createHash("sha256").update(sheet.text).digest("base64")}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${sheet}</style>
</head>
<body>
${body}
</body>
</html>
`.text;
}
