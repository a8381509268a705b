import assert from "node:assert/strict";
import { report, toHtml, toJson, toJunit, toMarkdown, type ReportOptions } from "../../report";
import * as cases from "./support/cases";
import { stackOf, threeRestores } from "./support/restores";
import { encrypted } from "./support/stack";

const [web, ...others] = threeRestores;

function everyFormat(state: object, options: ReportOptions = {}): string {
  const made = report(state, options);
  return [toHtml, toJson, toJunit, toMarkdown].map((render) => render(made)).join("\n");
}

describe("log text in a report", () => {
  it("is in no format unless requested, even if the state holds it unencrypted", () => {
    assert.doesNotMatch(everyFormat(cases.restoresWithLog), /backup\.internal/);
    assert.doesNotMatch(everyFormat(cases.failed), /hunter2|input\/output/);
    assert.doesNotMatch(everyFormat(cases.withCheckOutput), /row count|pg_ctl/);
    assert.doesNotMatch(everyFormat(stackOf([{ ...web!, outputs: { logOutput: "in plain" } }, ...others])), /in plain/);
  });

  it("is shown if requested and unencrypted", () => {
    assert.match(everyFormat(cases.restoresWithLog, { logs: "with logs" }), /backup\.internal/);
    const made = report(cases.withCheckOutput, { logs: "with logs" });
    assert.equal(made.waves[0]?.restores[0]?.log, "pg_ctl: done");
    assert.match(made.waves[0]?.checkOutput ?? "", /row count 42/);
  });

  it("is never decrypted", () => {
    const made = report(stackOf([{ ...web!, outputs: { logOutput: encrypted() } }, ...others]), { logs: "with logs" });
    assert.deepEqual(
      made.waves.flatMap(({ restores }) => restores.flatMap(({ log }) => log ?? [])),
      [],
    );
    assert.doesNotMatch(toJson(made), /ciphertext|F\/H5pg4mzqLp/);
  });

  it("a secret field reads secret, encrypted or not", () => {
    const made = report(
      stackOf([{ ...web!, outputs: { virtualMachineId: encrypted(), warnings: [encrypted()] } }, ...others]),
    );
    const step = made.waves[0]?.restores.find(({ name }) => name === "web");
    assert.equal(step?.virtualMachineId, "secret");
    assert.deepEqual(step.warnings, ["secret"]);
  });

  it("keeps the end of a long one", () => {
    const long = `${"x".repeat(200_000)}\nthe reason`;
    const made = report(stackOf([{ ...web!, outputs: { logOutput: long } }, ...others]), { logs: "with logs" });
    const log = made.waves[0]?.restores.find(({ name }) => name === "web")?.log ?? "";
    assert.match(log, /^\[the first \d+ characters are left out\]\n[\s\S]*the reason$/);
    assert.ok(log.length < 70_000);
  });
});
