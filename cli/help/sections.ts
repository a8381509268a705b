export interface HelpSection {
  /** The word after `pulumi-recovery help` in the last line of a message. Absent for an entry in a list of messages. */
  readonly word?: string;
  readonly title: string;
  readonly text: string;
  /** Parts of the messages that this section explains, in lower case. */
  readonly phrases: readonly string[];
}

/** The help sections in a page. Each is a heading with the line `<!-- help: word -->` right below it. */
export function sectionsIn(markdown: string): readonly HelpSection[] {
  return markdown.split(/^(?=#{2,4} )/m).flatMap((part): HelpSection[] => {
    const [, title = "", word, text = ""] = /^#{2,4} (.+)\r?\n\s*<!-- help: (\w+) -->\r?\n([^]*)$/.exec(part) ?? [];
    if (word === undefined) return [];
    const said = (phrases[word] ?? []).map((one) => one.toLowerCase());
    return [{ word, title: title.trim(), text: text.trim(), phrases: said }];
  });
}

/** List entries that quote messages, each as a section. */
export function messageRowsIn(markdown: string): readonly HelpSection[] {
  return [...markdown.matchAll(/^- ((?:`[^`\n]+`(?:, )?)+): (.+)$/gm)].map(([, cell = "", text = ""]) => {
    const quoted = [...cell.matchAll(/`([^`]+)`/g)].map(([, phrase = ""]) => phrase);
    return { title: quoted.join(" / "), text, phrases: quoted.map((phrase) => phrase.toLowerCase()) };
  });
}

/** Finds the section that the words name; failing that, the section with the longest matching phrase; failing that, a section that contains all the words. */
export function findSection(sections: readonly HelpSection[], words: readonly string[]): HelpSection | undefined {
  // A pasted message may contain the terminal's line breaks.
  const asked = words.join(" ").replace(/\s+/g, " ").trim().replace(/:$/, "").toLowerCase();
  const isNamed = (word: string): boolean => word === asked || asked.endsWith(`pulumi-recovery help ${word}`);
  const named = sections.find(({ word }) => word !== undefined && isNamed(word));
  if (named !== undefined) return named;
  const [said] = sections
    .flatMap((section) => section.phrases.map((phrase) => ({ section, phrase })))
    .filter(({ phrase }) => asked.includes(phrase) || (asked.length >= shortestPart && phrase.includes(asked)))
    .sort((a, b) => b.phrase.length - a.phrase.length);
  if (said !== undefined) return said.section;
  // From here on, a section must contain the whole text, because a few shared words prove little.
  if (asked.length < shortestWord) return undefined;
  const says = (text: string): boolean => text.replace(/\s+/g, " ").toLowerCase().includes(asked);
  return sections.find(({ title }) => says(title)) ?? sections.find(({ text }) => says(text));
}

const shortestPart = 12;
/** Shorter words occur in every section. */
const shortestWord = 4;

/** Parts of messages, keyed by the word of the section that explains them. Used to find the section for a pasted message. */
const phrases: Readonly<Record<string, readonly string[]>> = {
  adopt: ["named in adopt, was not adopted", "was not adopted:", "while adopt named a transaction"],
  busy: ["keeps the machine busy", "that left no record, and it did not end"],
  cancelled: ["was cancelled on the panel"],
  connection: [
    "did not accept the user name and password",
    "the panel knows this user but does not permit this request",
    "was not checked",
    "has nothing at this path",
    "does not accept this request",
    "the response is",
    "the response cannot be read",
    "certificate is not trusted",
    "cannot be resolved",
    "no connection to the panel",
    "the connection broke",
    "did not start to respond",
    "no complete response within",
    "in front of it, failed",
    "too many requests",
    "the list cannot be read beyond",
    "the list may be incomplete",
    "gave up before anything was sent",
    "gave up waiting for the response",
    "correct the value and run again",
  ],
  failed: ["ended in failure", "ended as failed", "will be restored again", "retryFailed is false"],
  fields: [
    "is recognized as the id",
    "is recognized as the status",
    "which recovery:fields names as",
    "as the list, but the response",
    "contains several lists",
  ],
  intent: [
    "its intent is missing",
    "its intent was made for another restore",
    "its intent was not",
    "pulumi_skip_checkpoints is set",
    "is gone or was cancelled",
    "belongs to the panel",
  ],
  killed: [
    "requested this restore and left no record",
    "has left no record of it",
    "its restores may have been sent",
    "the stack is currently locked by",
    "another update is currently in progress",
    "pending operations",
  ],
  limit: ["has not ended", "no decision was reached within", "passed before its turn"],
  lost: ["the panel has not listed it", "was posted but is not listed", "is no longer in the panel's list"],
  machines: ["is not among the machines that may be restored"],
  order: ["the previous restore of the same machine", "the previous restore of machine", "older than an earlier read"],
  part: ["in the same job failed", "has no certain outcome"],
  plan: [
    "of the wave is not complete and checked",
    "of the wave are not complete and checked",
    "for the reasons below",
    "did not pass",
    "not measured, goal",
    "was not started",
    "cannot be removed, renamed or moved in this run",
    "sent none of the wave's restores",
    "sent none of the plan's restores",
    "the run was not judged",
  ],
  point: ["no recovery point of machine"],
  question: [
    "may have been posted by an earlier attempt",
    "may have restored the machine since",
    "cannot be judged",
    "may be for another machine",
    "rows of this panel name no machine",
  ],
  refused: ["was refused by the panel, and changed nothing"],
  settings: ["missing or wrong", "cannot be used: it"],
  suspended: ["was suspended for more than a minute"],
  words: ["that is known to be final", "the panel does not show how", "asks you how it ended"],
};
