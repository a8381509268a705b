import * as pulumi from "@pulumi/pulumi";

/** What a suite's programs warn of, instead of on the terminal. */
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
