import assert from "node:assert/strict";
import { Secret, connectionRedactor } from "../../provider/panel/secrets";
import { attempt, recordingReporter, makeIntent, requestFor } from "../support/restore-programs";
import { virtualPanel } from "../support/virtual-panel";

const password = "tr0ub4dor&3x";

describe("the log of a restore that failed, with the panel's password in it", () => {
  for (const format of ["json", "xml"] as const) {
    it(`is stored and shown without it, and shows the rest, ${format}`, async () => {
      const panel = virtualPanel(format, {}, (body) =>
        body.replaceAll("Fatal: ", `Fatal: ${format === "xml" ? password.replace("&", "&amp;") : password} `),
      );
      panel.sandbox.failNext(42, "failed");
      const reporter = recordingReporter();
      const session = panel.newSession({ redact: connectionRedactor("joe", new Secret(password)) });
      const intent = await panel.clock.run(makeIntent(session));
      const result = await panel.clock.run(attempt(session, requestFor(intent), "first", reporter));
      assert.ok(result.kind === "stored");
      assert.match(result.record.logOutput ?? "", /Fatal: \[secret\] /);
      assert.match(reporter.warned.join(), /Fatal: /);
      assert.doesNotMatch(result.reasons.join("\n"), /Fatal: /, "reasons are stored in plain");
      assert.ok(!JSON.stringify([result, reporter.warned]).includes(password));
    });
  }
});
