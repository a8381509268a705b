import assert from "node:assert/strict";
import { runReady } from "../../cli/support/run-ready";
import { MiniEngine, planOf, type Up } from "./support/mini-engine";
import { type Kill, ModelPanel } from "./support/model-panel";

/** What `ready` says after runs of a plan: never better than what happened. */
describe("ready, after a run of a plan", () => {
  let engine: MiniEngine;
  let panel: ModelPanel;
  beforeEach(() => {
    engine = new MiniEngine();
    panel = new ModelPanel();
  });

  const db = { machine: "1", point: "10" };
  const content = { machine: "2", point: "21", paths: ["/www"] };

  async function up(
    waves: Parameters<typeof planOf>[0],
    { run = "Q1", kill, exclude = [] }: { readonly run?: string; readonly kill?: Kill } & Pick<Up, "exclude"> = {},
  ): Promise<void> {
    engine.pending = [];
    await engine.up(planOf(waves, { run }), { ...panel.begin(kill), exclude });
  }

  /** By restore: its state, and what speaks against it. */
  async function said(): Promise<Readonly<Record<string, string>>> {
    const { ready } = await runReady({
      state: { version: 3, deployment: engine.deployment },
      provenWithinSeconds: 10 * 365 * 86_400,
    });
    return Object.fromEntries(
      ready.restores.map(({ name, state, findings }) => [
        name,
        [state, ...findings.map(({ code }) => code).filter((code) => /^restore\.(?!other-panel)/.test(code))].join(
          ", ",
        ),
      ]),
    );
  }

  it("takes a run for no proof of what the plan declares since", async () => {
    await up({ data: { db } });
    assert.deepEqual(await said(), { db: "complete" });
    await up(
      { data: { db: { machine: "1", point: "11" } } },
      { exclude: ["wave-data-intent", "wave-data", "verdict"] },
    );
    assert.deepEqual(await said(), { db: "not sent, restore.changed-since, restore.not-sent" });
  });

  it("takes the proof of an earlier run for none of a check that is new since", async () => {
    const tcp = { name: "tcp", kind: "tcp", asks: "tcp" } as const;
    const http = { name: "http", kind: "http", asks: "http" } as const;
    await up({ data: { db: { ...db, checks: [tcp] } } });
    const next = { run: "Q2", exclude: ["wave-data", "verdict"] };
    await up({ data: { db: { ...db, checks: [tcp] } } }, next);
    assert.deepEqual(await said(), { db: "not sent, restore.not-sent" }, "proven by the run before");
    await up({ data: { db: { ...db, checks: [tcp, http] } } }, next);
    assert.deepEqual(await said(), { db: "not sent, restore.changed-since, restore.not-sent" });
  });

  it("takes files for overwritten where a killed run may have restored the machine, until they are restored again", async () => {
    await up({ data: { db }, front: { content } });
    await up(
      { data: { db: { machine: "2", point: "10" } }, front: { content } },
      { kill: { at: "in the wait", after: 0 } },
    );
    await up({ data: { db }, front: { content } });
    const overwritten = { db: "complete", content: "overwritten, restore.overwritten, restore.not-proven" };
    assert.deepEqual(await said(), overwritten);
    await up({ data: { db }, front: { content: { ...content, triggers: ["again"] } } });
    assert.deepEqual(await said(), { db: "complete", content: "complete" });
  });
});
