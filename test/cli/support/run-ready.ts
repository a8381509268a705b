import type { KnownQuestion } from "../../../cli/parts/known-questions";
import { readStack } from "../../../cli/parts/stack-state";
import { assessReadiness, machinesToRead } from "../../../cli/ready/assess";
import { readPanel } from "../../../cli/ready/read-panel";
import type { ReadyResult } from "../../../cli/ready/result";
import { VirtualClock } from "../../support/virtual-clock";
import { address, type Held, now, panelOf, settingsOf } from "./panel";
import { published } from "./published";

const assertPublished = published("ready");

export interface ReadySetup {
  /** The output of `pulumi stack export`. */
  readonly state: object;
  readonly panel?: Partial<Held>;
  readonly settings?: Readonly<Record<string, string>>;
  readonly known?: readonly KnownQuestion[];
  readonly provider?: string;
  readonly goalAgeSeconds?: number;
  readonly provenWithinSeconds?: number;
}

/** The hour-old point 1007 of machine 42, which is known and idle. */
const oneHour: Held = {
  rows: [],
  machines: { "42": { points: [{ id: 1007, state: "built", created_at: "2026-11-21T10:00:00Z" }] } },
};

/** Judges a stack by a panel in memory, of which nothing but GETs is asked. */
export async function runReady(
  setup: ReadySetup,
): Promise<{ readonly ready: ReadyResult; readonly paths: readonly string[] }> {
  const clock = new VirtualClock({ startAt: now });
  const { transport, paths } = panelOf({ ...oneHour, ...setup.panel });
  const settings = settingsOf(setup.settings);
  const { provider = "default", known = [], goalAgeSeconds, provenWithinSeconds } = setup;
  const asked = { panel: address, provider, allowedMachines: settings.allowedMachines };
  const state = readStack(setup.state);
  const reading = await clock.run(readPanel(settings, machinesToRead(state.restores, asked), { clock, transport }));
  const ready = assessReadiness(state, state.restores, reading, {
    ...asked,
    words: settings,
    known: { questions: known },
    now: clock.wallTime(),
    ...(goalAgeSeconds !== undefined && { goalAgeSeconds }),
    ...(provenWithinSeconds !== undefined && { provenWithinSeconds }),
  });
  assertPublished(ready);
  return { ready, paths };
}
