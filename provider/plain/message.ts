import { errorMessage } from "./text";

/** The sections of docs/troubleshooting.md, each named by the word at the end of the messages that lead to it. */
export type HelpWord =
  | "adopt"
  | "busy"
  | "cancelled"
  | "connection"
  | "failed"
  | "fields"
  | "intent"
  | "limit"
  | "lost"
  | "machines"
  | "order"
  | "part"
  | "plan"
  | "point"
  | "question"
  | "refused"
  | "settings"
  | "suspended"
  | "words";

/**
 * A message for the terminal, in two sentences: what happened, then what to do. Below these come rows and the panel's own words, in at most ten lines. The last
 * line is the command that shows the section of docs/troubleshooting.md.
 */
export interface Message {
  readonly what: string;
  readonly next?: string | undefined;
  readonly lines?: readonly string[] | undefined;
  readonly help: HelpWord;
}

const mostLines = 10;

export function messageText({ what, next, lines = [], help }: Message): string {
  const shown = lines.slice(0, mostLines);
  if (lines.length > mostLines) shown.push(`and ${String(lines.length - mostLines)} more`);
  return [
    [what, ...(next === undefined ? [] : [next])].map(withFullStop).join(" "),
    ...shown.map((line) => `  ${line}`),
    `${helpCommand}${help}`,
  ].join("\n");
}

const helpCommand = "npx pulumi-recovery help ";

/** The lines of a message above its last line, and the section that the last line names. */
export function withoutHelp(text: string): { readonly lines: readonly string[]; readonly help?: HelpWord } {
  const lines = text.split("\n");
  const last = lines.at(-1) ?? "";
  return last.startsWith(helpCommand)
    ? { lines: lines.slice(0, -1), help: last.slice(helpCommand.length) as HelpWord }
    : { lines };
}

/** An error whose parts can be used in another message by a caller that knows which restore is affected. */
export class MessageError extends Error {
  constructor(
    readonly parts: Message,
    text: string = messageText(parts),
    options?: ErrorOptions,
  ) {
    super(text, options);
  }
}

/** The parts of a message for any error. `about`: what was not done because of the error. `help`: the section for an error that has no parts of its own. */
export function partsOf(error: unknown, about?: string, help: HelpWord = "connection"): Message {
  const parts: Message =
    error instanceof MessageError ? error.parts : { what: withoutFullStop(errorMessage(error)), help };
  return about === undefined ? parts : { ...parts, what: `${about}: ${parts.what}` };
}

export const withFullStop = (text: string): string => (/[.!?:]$/.test(text) ? text : `${text}.`);

export function withoutFullStop(text: string): string {
  return text.trimEnd().replace(/\.$/, "");
}
