import assert from "node:assert/strict";
import type { ReadyResult } from "../../../cli/commands";
import { VirtualClock } from "../../support/virtual-clock";
import { call, driven, withFiles } from "./call";
import { environmentOf, type Held, now, panelOf } from "./panel";
import { published } from "./published";

const assertPublished = published("ready");

export interface ReadySetup {
  readonly state: object;
  /** The output of `pulumi preview --json`, instead of a state. */
  readonly preview?: object;
  readonly panel?: Partial<Held>;
  readonly settings?: Readonly<Record<string, string>>;
  readonly known?: readonly object[];
  readonly goalAgeSeconds?: number;
  readonly provenWithinSeconds?: number;
}

interface ReadyAnswer {
  readonly ready: ReadyResult;
  readonly lines: readonly string[];
  readonly markdown: string;
  readonly metrics: string;
  readonly paths: readonly string[];
}

/** Machine 42, which is idle and has one recovery point: 1007, an hour old. */
const oneHour: Held = {
  rows: [],
  machines: { "42": { points: [{ id: 1007, state: "built", created_at: "2026-11-21T10:00:00Z" }] } },
};

/** Runs `ready` on a stack against an in-memory panel that allows only GETs. */
export function runReady({ state, preview, panel, settings, known = [], ...limits }: ReadySetup): Promise<ReadyAnswer> {
  const clock = new VirtualClock({ startAt: now });
  const { transport, paths } = panelOf({ ...oneHour, ...panel });
  return withFiles({ "known.json": JSON.stringify({ known }) }, async (pathOf, written) => {
    const seconds = (option: string, given: number | undefined) =>
      given === undefined ? [] : [option, `${String(given)}s`];
    const args = [
      ...["ready", preview === undefined ? "--state" : "--preview", "-", "--known", pathOf("known.json")],
      ...["--out", pathOf("."), "--metrics", pathOf("ready.prom")],
      ...seconds("--goal-age", limits.goalAgeSeconds),
      ...seconds("--proven-within", limits.provenWithinSeconds),
    ];
    const given = JSON.stringify(preview ?? state);
    const called = call(args, environmentOf(settings), given, undefined, { reach: { clock, transport } });
    const { code, out, err } = await driven(clock, called);
    assert.ok(code <= 2, err);
    const ready = JSON.parse(written("ready.json")) as ReadyResult;
    assertPublished(ready);
    const lines = out.split("\n");
    assert.deepEqual(lines.splice(-4), [...["ready.json", "ready.md", "ready.prom"].map(pathOf), ""]);
    return { ready, lines, markdown: written("ready.md"), metrics: written("ready.prom"), paths };
  });
}
