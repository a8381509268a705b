import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { StatusResult } from "../../cli/commands";
import { reports, toHtml, toJunit, toMarkdown, type Report } from "../../report";
import { plan, type PlayedStep } from "../support/stored/plans";
import { complete, pendingOn, restore } from "../support/stored/restores";
import { exportedStack, type StackResource } from "../support/stored/stack";
import { call, useNoProject, withFiles } from "./support/call";
import { readMetrics } from "./support/prometheus";
import { runReady } from "./support/run-ready";
import { pagesOf } from "./support/runbook-page";

type RestoreState = StatusResult["restores"][number]["state"];

interface Said {
  readonly word: Readonly<Record<string, string | undefined>>;
  readonly reasons: string;
  readonly next: string | undefined;
  readonly ready: string | undefined;
  /** Whether the metrics from `report` and `ready` show the restore as complete: 1 or 0. */
  readonly complete: readonly (number | undefined)[];
}

async function saidOf(exported: object): Promise<Said> {
  const all = reports(exported);
  const made = all.find((one) => stepIn(one) !== undefined);
  assert.ok(made, "no report contains the restore");
  const { ready, lines, metrics } = await runReady({ state: exported });
  const given = JSON.stringify(exported);
  const statusOf = async (...args: readonly string[]): Promise<string> =>
    (await call(["status", "--state", "-", ...args], {}, given, undefined, { columns: 120 })).out;
  const status = JSON.parse(await statusOf("--json")) as StatusResult;
  const printed = (await statusOf()).split("\n");
  const ofReports = await withFiles({ "m.prom": "from before" }, async (pathOf, written) => {
    const { code, err } = await call(["report", "-", "--out", pathOf("."), "--metrics", pathOf("m.prom")], {}, given);
    assert.equal(code, 0, err);
    return written("m.prom");
  });
  const { markdown } = await pagesOf(exported);
  const [ofStatus, ofReady] = [status.restores.find(isWeb), ready.restores.find(isWeb)];
  const rowIn = (lines: readonly string[]): string => lines.find((line) => /[ /]web(?: \(files\))? /.test(line)) ?? "";
  const gauge = (name: string, text: string): number | undefined =>
    readMetrics(text).find((one) => one.name === `pulumi_recovery_${name}` && one.labels["restore"] === "web")?.value;
  return {
    word: {
      "report --json": stepIn(made)?.state,
      "report, HTML": wordIn(/<p class="who">(.*?)<strong>web[ <]/.exec(toHtml(made))?.[1]),
      "report, Markdown": wordIn(/^\| web(?: |<br>)[^|]*(\|[^|]*)/m.exec(toMarkdown(made))?.[1]),
      "report, JUnit": wordIn(/name="restore web[^]*?(name="state".*)/.exec(toJunit(made))?.[1]),
      "status --json": ofStatus?.state,
      status: wordIn(/^.*?\b(?:42|43)\b(.*?)(?:–|1m 5s)/.exec(rowIn(printed))?.[1]),
      "ready --json": ofReady?.state,
      ready: wordIn(rowIn(lines)),
      runbook: wordIn(/\d\. web$[^]*?^- Last time:(.*?)(?:,|$)/m.exec(markdown)?.[1]),
    },
    reasons: made.verdict.reasons.join("\n"),
    next: ofStatus?.next,
    ready: ofReady?.readiness,
    complete: [gauge("run_restore_complete", ofReports), gauge("restore_last_complete", metrics)],
  };
}

/** The state that the text names. If it names several, they are joined into a word that equals no state. */
function wordIn(text = ""): string | undefined {
  const found = Object.keys(inPlan).filter((word) => new RegExp(`\\b${word}\\b`, "i").test(text));
  return found.length > 1
    ? found.filter((word) => !found.some((one) => one !== word && one.includes(word))).join()
    : found[0];
}

const isWeb = ({ name }: { readonly name: string }): boolean => name === "web";
const stepIn = ({ waves }: Report) => waves.flatMap(({ restores }) => restores).find(isWeb);

function assertOneWord({ word }: Said, state: RestoreState): void {
  const shown = (place: string) => (place === "ready" && state === "complete" ? undefined : state);
  assert.deepEqual(word, Object.fromEntries(Object.keys(word).map((place) => [place, shown(place)])));
}

const again: Partial<PlayedStep> = complete("5020");
const againAs = (status: string) => restore({ name: "again", status, transaction: "5020" });
const http = { checks: [{ name: "http", kind: "http", result: "not run" }] } as const;

/** The stored resources of the restore `web` in each state, as part of a plan. `alone` contains the states without a plan. */
const inPlan: Readonly<Record<RestoreState, readonly StackResource[]>> = {
  "not sent": plan({ data: { web: { stop: { sent: "no", why: "busy" } } } }),
  "perhaps sent": plan({ data: { web: {} } }),
  sent: plan({ data: { web: { status: "sent" } } }),
  pending: plan({ data: { web: { status: "pending", transaction: "5015" } } }),
  running: plan({ data: { web: { status: "running", transaction: "5015" } } }),
  complete: plan({ data: { web: { ...complete("5015") } } }),
  failed: plan({ data: { web: { status: "failed", transaction: "5015" } } }),
  cancelled: plan({ data: { web: { status: "cancelled", transaction: "5015" } } }),
  "not checked": plan({ data: { web: { ...http, ...complete("5015") } } }),
  overwritten: plan({ data: { web: { ...complete("5015") } }, front: { again } }),
};
const alone: Readonly<Partial<Record<RestoreState, readonly StackResource[]>>> = {
  "not sent": restore({}),
  ...Object.fromEntries(
    (["pending", "running", "complete", "failed", "cancelled"] as const).map((status) => [
      status,
      restore({ status, transaction: "5015" }),
    ]),
  ),
  sent: restore({ status: "sent" }),
  overwritten: [...restore(complete("5015")), ...againAs("complete")],
};

describe("a stored restore", () => {
  useNoProject();

  const begun = { "perhaps sent": plan({ data: { web: {} } }, { carriedOut: [] }) };
  const atWork = { ...pendingOn("web"), inputs: { __intent: { id: "intent-web-VmRestore" } } };
  for (const [where, states, ...pending] of [
    ["in a plan", inPlan],
    ["in a plan whose first `up` is working on it", begun, pendingOn("shop-wave-data", "Wave", "shop")],
    ["in a plan whose first `up` has left no record of it", begun],
    ["without a plan", alone],
    ["without a plan, while an `up` is working on it", { "perhaps sent": restore({}) }, atWork],
  ] as const)
    for (const [state, resources] of Object.entries(states))
      it(`is described by the same word in every command and page when it is ${state} (${where})`, async () => {
        assertOneWord(await saidOf(exportedStack(resources, pending)), state as RestoreState);
      });

  it("can have exactly the states that the documentation lists", () => {
    const page = readFileSync(join(__dirname, "..", "..", "docs", "how-it-works.md"), "utf8");
    const [, list = ""] = /^## States$([^]*?)^## /m.exec(page) ?? [];
    const words = [...list.matchAll(/^- `([^`]+)`: /gm)].map(([, word]) => word);
    assert.deepEqual(words, Object.keys(inPlan));
  });

  const done = complete("5015");
  const overwritten: Readonly<Record<string, readonly StackResource[]>> = {
    "within a plan": inPlan.overwritten,
    "within a plan after restoring files": plan({
      data: { web: { paths: ["/etc"], ...complete("5015") }, again: { ...again, point: "1008" } },
    }),
    "outside any plan": alone.overwritten ?? [],
    "outside any plan after restoring files": [...restore({ ...done, paths: ["/etc/hosts"] }), ...againAs("complete")],
    "in a plan by a restore outside it": [...inPlan.complete, ...againAs("complete")],
    "outside any plan by a restore in a plan": [...restore(done), ...plan({ data: { again } })],
    "by a running restore": [...inPlan.complete, ...againAs("running")],
    "by a failed restore": [...restore(done), ...againAs("failed")],
  };
  for (const [where, resources] of Object.entries(overwritten))
    it(`is neither complete nor ready, and is shown with the restore that overwrote it, when overwritten ${where}`, async () => {
      const said = await saidOf(exportedStack(resources));
      assertOneWord(said, "overwritten");
      assert.match(said.reasons, /^web was overwritten by again \(.*transaction 5020\)(: set new triggers .*)?$/m);
      assert.match(said.next ?? "", /^nothing, unless its .* change: was overwritten by again \(.* 5020\)$/);
      assert.equal(said.ready, "not ready");
      assert.deepEqual(said.complete, [0, 0]);
    });
});
