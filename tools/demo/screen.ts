import { escapeMarkup } from "../../provider/plain/escape";
/** Draws a terminal's lines, with their colour sequences, as an SVG. */
export function asSvg(lines: readonly string[], columns: number, about: string): string {
  const width = columns * cell.width + 2 * margin;
  const height = lines.length * cell.height + 2 * margin + bar;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(width)} ${String(height)}" width="${String(width)}" height="${String(height)}" role="img" aria-label="${about}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13">`,
    `<rect width="100%" height="100%" rx="8" fill="#16191d"/>`,
    ...["#ed6a5e", "#f5bf4f", "#61c554"].map(
      (colour, index) => `<circle cx="${String(20 + index * 18)}" cy="18" r="5.5" fill="${colour}"/>`,
    ),
    ...lines.flatMap((line, row) => runsOf(line).map((run) => draw(run, row))),
    "</svg>",
    "",
  ].join("\n");
}

const cell = { width: 7.8, height: 18 };
const margin = 18;
const bar = 20;

interface Style {
  readonly colour: string;
  readonly bold: boolean;
  readonly underlined: boolean;
}

interface Run extends Style {
  readonly column: number;
  readonly text: string;
}

const plain: Style = { colour: "#d5dae0", bold: false, underlined: false };
const palette = ["#5c6370", "#ef7c72", "#7fd082", "#e3b95f", "#74a9f2", "#d490e8", "#6fc7d0", "#d5dae0"];

const escape = String.fromCharCode(27);
const sequence = `${escape}\\[[0-9;]*m`;
const colourSequence = new RegExp(`^${escape}\\[([0-9;]*)m$`);

/** Splits a line into pieces of one style. */
function runsOf(line: string): readonly Run[] {
  const runs: Run[] = [];
  let style = plain;
  let column = 0;
  for (const part of line.split(new RegExp(`(${sequence})`))) {
    const codes = colourSequence.exec(part)?.[1];
    if (codes !== undefined) {
      style = applyCodes(style, codes === "" ? [0] : codes.split(";").map(Number));
      continue;
    }
    if (part.trim() !== "") runs.push({ ...style, column, text: part });
    column += Array.from(part).length;
  }
  return runs;
}

function applyCodes(style: Style, codes: readonly number[]): Style {
  const [code, ...rest] = codes;
  if (code === undefined) return style;
  if (code === 38 && rest[0] === 5) return applyCodes({ ...style, colour: paletteColour(rest[1] ?? 7) }, rest.slice(2));
  return applyCodes(applyCode(style, code), rest);
}

function applyCode(style: Style, code: number): Style {
  if (code === 0) return plain;
  if (code === 1) return { ...style, bold: true };
  if (code === 4) return { ...style, underlined: true };
  if (code === 22) return { ...style, bold: false };
  if (code === 39) return { ...style, colour: plain.colour };
  if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) return { ...style, colour: paletteColour(code % 10) };
  return style;
}

function paletteColour(index: number): string {
  return palette[index % 8] ?? plain.colour;
}

function draw({ column, text, colour, bold, underlined }: Run, row: number): string {
  const lead = /^ */.exec(text)?.[0].length ?? 0;
  const shown = text.trim();
  const x = (margin + (column + lead) * cell.width).toFixed(1);
  const y = String(margin + bar + (row + 0.75) * cell.height);
  const length = (Array.from(shown).length * cell.width).toFixed(1);
  const weight = bold ? ' font-weight="700"' : "";
  const line = underlined ? ' text-decoration="underline"' : "";
  return `<text x="${x}" y="${y}" textLength="${length}" lengthAdjust="spacingAndGlyphs" fill="${colour}"${weight}${line} xml:space="preserve">${escapeMarkup(shown)}</text>`;
}
