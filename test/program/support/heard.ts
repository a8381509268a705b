import * as pulumi from "@pulumi/pulumi";

/** Collects the warnings of a suite's programs instead of printing them. */
export const heardWarnings = (): readonly string[] => heard("warn");

export const heardErrors = (): readonly string[] => heard("error");

function heard(level: "warn" | "error"): readonly string[] {
  const messages: string[] = [];
  const log = pulumi.log as Record<typeof level, (message: string) => Promise<void>>;
  const print = log[level];

  beforeEach(() => {
    messages.length = 0;
    log[level] = (message) => Promise.resolve(void messages.push(message));
  });

  afterEach(() => {
    log[level] = print;
  });

  return messages;
}
