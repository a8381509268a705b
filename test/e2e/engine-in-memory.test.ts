import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compileFunction } from "node:vm";
import * as pulumi from "@pulumi/pulumi";
import { Engine, Run } from "../support/engine";
import type { Process } from "../support/process";
import type { Properties, Registration } from "../support/program";
import type { StoredResource } from "./support/stored";
import { long } from "../support/thorough";
import { useScene } from "./support/scene";

/** The exploration (`test/restore/exploration`) uses an in-memory engine, which must make the same calls and store the same results as the real one. */

/** A provider that records its calls and answers as scripted in a file. It is source text because the engine reads it from the state. */
const provider = (folder: string): string => `
const fs = require("fs");
const folder = ${JSON.stringify(folder)};
const answerTo = (call, name) => JSON.parse(fs.readFileSync(folder + "/script.json", "utf8"))[call + " " + name];
const note = (text) => fs.appendFileSync(folder + "/calls.txt", text + "\\n");
const asked = (call, props, more = "") => {
  note(call + " " + props.name + " " + props.trigger + more);
  return answerTo(call, props.name);
};
const carriedOut = (answer, id, props) => {
  if (answer === undefined) return props;
  const error = new Error("scripted");
  if (answer === "stored") Object.assign(error, { id, properties: { ...props, stored: true }, reasons: ["scripted"] });
  throw error;
};
let made = 0;
exports.handler = () => ({
  check: (olds, news) => {
    note("check " + news.name + " " + news.trigger + (olds.name === undefined ? " (new)" : ""));
    return { inputs: news, failures: [] };
  },
  diff: (id, olds, news) => asked("diff", olds, " to " + news.trigger) ?? (olds.trigger === news.trigger ? {} : { replaces: ["trigger"] }),
  create: async (props) => ({ id: "id-" + ++made, outs: carriedOut(asked("create", props), "id-" + made, { ...props, made: "yes" }) }),
  update: async (id, olds, news) => ({ outs: carriedOut(asked("update", news), id, { ...news, made: "again" }) }),
  read: async (id, props) => ({ id, props: carriedOut(asked("read", props), undefined, { ...props, read: "yes" }) }),
  delete: async (id, props) => { carriedOut(asked("delete", props), undefined, {}); },
});`;

interface Scripted {
  readonly run: "up" | "refresh";
  /** The value of `trigger` for both resources of a restore. */
  readonly triggers?: readonly [string, string];
  /** Keyed by call and name: `stored` (an error whose result is stored), `plain` (an error without a result), or what `diff` returns. */
  readonly answers?: Readonly<Record<string, unknown>>;
  readonly targets?: readonly string[];
  readonly continueOnError?: true;
}

const stories: Readonly<Record<string, readonly Scripted[]>> = {
  "when an error is stored and an update follows": [
    { run: "up", answers: { "create r0": "stored" } },
    { run: "up", answers: { "update r0": "stored" } },
    { run: "up" },
    { run: "up" },
  ],
  "when an error is stored and its status then requires a replacement": [
    { run: "up", answers: { "create r1": "stored" } },
    { run: "up", answers: { "diff r1": { changes: true, replaces: ["status"] }, "create r1": "stored" } },
    { run: "up", answers: { "diff r1": { replaces: ["status"] } } },
    { run: "up" },
  ],
  "when an error is not stored": [{ run: "up", answers: { "create r0": "plain" } }, { run: "up" }],
  "when a refresh clears errors and another refresh fails": [
    { run: "up", answers: { "create r1": "stored" } },
    { run: "refresh" },
    { run: "up" },
    { run: "refresh", answers: { "read r0": "plain" } },
    { run: "up", answers: { "diff r1": { changes: true } } },
  ],
  "when triggers change": [
    { run: "up" },
    { run: "up", triggers: ["b", "a"] },
    { run: "up", triggers: ["b", "b"], answers: { "create r1": "stored" } },
    { run: "refresh" },
    { run: "up", triggers: ["b", "b"] },
    { run: "up", triggers: ["c", "b"], answers: { "create r0": "plain" } },
    { run: "up", triggers: ["c", "b"], answers: { "delete r0": "plain" } },
    { run: "up", triggers: ["c", "b"] },
  ],
  "when --target leaves resources out": [
    { run: "up" },
    { run: "up", triggers: ["b", "b"], targets: ["r1", "i1"] },
    { run: "up", triggers: ["b", "c"], targets: ["r1"] },
    { run: "up", triggers: ["b", "c"] },
  ],
  "when --target leaves resources out in the first run": [{ run: "up", targets: ["r0"] }, { run: "up" }],
  "with --continue-on-error": [
    { run: "up", answers: { "create r0": "stored" }, continueOnError: true },
    { run: "up", continueOnError: true },
    { run: "up", triggers: ["b", "b"], answers: { "create r1": "stored" }, continueOnError: true },
    { run: "up", triggers: ["b", "b"] },
    { run: "up", triggers: ["c", "c"], answers: { "create r0": "plain" }, continueOnError: true },
    { run: "up", triggers: ["c", "c"] },
  ],
};

long.describe("the in-memory engine makes the same calls and stores the same results as the real engine", () => {
  const scene = useScene();

  for (const [title, story] of Object.entries(stories)) {
    it(title, async () => {
      const { folder } = scene;
      const script = join(folder, "script.json");
      const calls = join(folder, "calls.txt");
      let triggers: readonly [string, string] = ["a", "a"];
      const stack = await scene.stack(() => {
        construct(provider(folder), triggers);
        return Promise.resolve({});
      });
      const engine = new Engine();
      for (const [index, step] of story.entries()) {
        triggers = step.triggers ?? triggers;
        writeFileSync(script, JSON.stringify(step.answers ?? {}));

        writeFileSync(calls, "");
        const { targets, continueOnError } = step;
        const failed = Object.values(step.answers ?? {}).some((answer) => typeof answer === "string");
        const urns = targets?.map((name) => urnOf(name));
        const options = { ...(urns && { target: urns }), ...(continueOnError && { continueOnError }) };
        if (step.run === "refresh")
          await stack.refresh(options).catch((error: unknown) => assert.ok(failed, String(error)));
        else await (failed ? stack.upFails(options) : stack.up(options));
        const theirCalls = linesOf(calls);
        const theirs = (await stack.resources()).filter(({ type }) => type.startsWith("pulumi-nodejs:")).map(told);

        writeFileSync(calls, "");
        const run = new Run(inMemory(provider(folder)));
        if (step.run === "refresh") await engine.refresh(run, (state) => state);
        else {
          await engine.up(run, registrationsOf(provider(folder), triggers), {
            ...(urns && { targets: new Set(urns) }),
            ...(continueOnError && { continueOnError }),
          });
        }
        const ours = engine.state.map(told);
        const where = `${title}, run ${String(index + 1)}`;
        // A refresh reads several resources at the same time, so the order of its calls varies.
        const inOrder = (lines: readonly string[]): readonly string[] =>
          step.run === "refresh" ? lines.toSorted() : lines;
        assert.deepEqual(inOrder(linesOf(calls)), inOrder(theirCalls), where);
        assert.deepEqual(ours.toSorted(), theirs.toSorted(), where);
      }
    });
  }
});

const types = { i: "pulumi-nodejs:recovery:Intent", r: "pulumi-nodejs:recovery:VmRestore" };

function urnOf(name: string): string {
  return `urn:pulumi:test::e2e::${name.startsWith("i") ? types.i : types.r}::${name}`;
}

class Resource extends pulumi.CustomResource {
  declare readonly made: pulumi.Output<string>;

  constructor(name: string, props: pulumi.Inputs, opts: pulumi.CustomResourceOptions) {
    super(name.startsWith("i") ? types.i : types.r, name, { ...props, name, made: undefined }, opts);
  }
}

function construct(text: string, triggers: readonly string[]): void {
  let before: pulumi.Resource[] = [];
  for (const [index, trigger] of triggers.entries()) {
    const intent = new Resource(`i${String(index)}`, { trigger, __provider: text }, { dependsOn: before });
    before = [new Resource(`r${String(index)}`, { trigger, from: intent.made, __provider: text }, {})];
  }
}

function registrationsOf(text: string, triggers: readonly string[]): readonly Registration[] {
  return triggers.flatMap((trigger, restore): Registration[] => {
    const [intent, own] = [`i${String(restore)}`, `r${String(restore)}`];
    const place = restore * 2;
    return [
      {
        urn: urnOf(intent),
        operations: "Intent",
        restore,
        dependsOn: restore === 0 ? [] : [place - 1],
        inputs: () => ({ trigger, name: intent, __provider: text }),
      },
      {
        urn: urnOf(own),
        operations: "VmRestore",
        restore,
        dependsOn: [place],
        inputs: (outputs) => ({ trigger, from: outputs(place)["made"], name: own, __provider: text }),
      },
    ];
  });
}

/** The same provider, run in this process. */
function inMemory(text: string): Process {
  const exported: { handler?: () => unknown } = {};
  const load = compileFunction(text, ["require", "exports"]) as (...given: unknown[]) => void;
  load(require, exported);
  const handler = exported.handler?.();
  return { operations: { VmRestore: handler, FileRestore: handler, Intent: handler } } as unknown as Process;
}

function told({ urn, inputs, outputs, initErrors = [], delete: gone = false }: Omit<StoredResource, "type">): string {
  const short = (all: Properties = {}): string =>
    JSON.stringify(
      Object.entries(all)
        .filter(([key]) => key !== "__provider")
        .sort(),
    );
  return `${urn.split("::").at(-1) ?? ""}${gone ? " (to be deleted)" : ""} ${short(inputs)} ${short(outputs)} ${initErrors.join()}`;
}

function linesOf(file: string): readonly string[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");
}
