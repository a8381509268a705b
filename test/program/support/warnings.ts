import * as pulumi from "@pulumi/pulumi";

/** Collects the warnings of a suite's programs instead of printing them. */
export function heardWarnings(): readonly string[] {
  const heard: string[] = [];
  const log = pulumi.log as { warn: (message: string) => Promise<void> };
  const { warn } = log;

  before(() => {
    log.warn = (message) => {
      heard.push(message);
      return Promise.resolve();
    };
  });

  beforeEach(() => {
    heard.length = 0;
  });

  after(() => {
    log.warn = warn;
  });

  return heard;
}
