import type { Read } from "../../provider/feed/feed";
import type { Settings } from "../../provider/inputs/settings";
import { omitUndefined } from "../../provider/plain/plain";
import { errorMessage, forTerminal } from "../../provider/plain/text";
import { guardedFeed, type PanelReadOptions } from "../parts/guard";
import { defaultProvider } from "../parts/provider-settings";
import { restoresOfPlan, type StackRestore, type StackState } from "../parts/stack-state";
import { oneLine } from "../parts/words";
import { depthOf, Panorama, statusOf } from "./look";
import type { RestoreNow, StatusResult } from "./result";

export interface StatusQuery {
  readonly plan?: string;
  readonly provider?: string;
}

/** Returns what a stack's restores are doing now or, without settings, what is stored about them. */
export async function readStatus(
  state: StackState,
  settings: Settings | { readonly problem: string },
  { plan, provider = defaultProvider }: StatusQuery,
  around: PanelReadOptions,
): Promise<StatusResult> {
  const restores = restoresOfPlan(state, plan);
  const panel = "problem" in settings ? undefined : settings.endpoint;
  const isAsked = (one: StackRestore): boolean =>
    (one.provider ?? defaultProvider) === provider && (one.panel === undefined || one.panel === panel);
  const asked = restores.filter(isAsked);
  const { read, problem, requests } =
    "problem" in settings ? { ...settings, read: undefined, requests: 0 } : await lookAt(asked, settings, around);
  // Includes the panel's restores in other plans, so that none of their transactions is mistaken for one of these restores. Another panel's ids mean nothing.
  const panorama = read && new Panorama(read, state.restores.filter(isAsked));
  const statuses: RestoreNow[] = [];
  const ofMachine = new Map<string, readonly RestoreNow[]>();
  for (const one of restores) {
    const key = JSON.stringify([one.plan, one.machine]);
    // Restores without a plan are not stored in program order. They need no order, because an intent is created only after the previous restore.
    const before = one.plan === undefined ? [] : (ofMachine.get(key) ?? []);
    const status = statusOf(one, isAsked(one) ? panorama : undefined, before);
    const elsewhere = isAsked(one) || depthOf(one) === undefined ? "" : elsewhereText(one, provider);
    const now = { ...status, next: oneLine(`${status.next}${elsewhere}`) };
    statuses.push(now);
    ofMachine.set(key, [...before, now]);
  }
  const counts: Record<string, number> = {};
  for (const { state: word } of statuses) counts[word] = (counts[word] ?? 0) + 1;
  return omitUndefined<StatusResult>({
    formatVersion: 1,
    lookedAt: around.clock.wallTime().toISOString(),
    panel,
    stack: state.stack,
    project: state.project,
    isUnderWay: state.isUnderWay,
    panelProblem: problem === undefined ? undefined : forTerminal(problem),
    requests,
    counts,
    restores: statuses,
    runs: state.plans
      .filter(({ name }) => plan === undefined || name === plan)
      .map(({ name, run: { run }, verdict }) => ({
        plan: oneLine(name),
        run: oneLine(run),
        verdict: verdict?.verdict ?? "incomplete",
      })),
    unreadable: state.unreadable,
  });
}

function elsewhereText({ provider, panel = "another panel" }: StackRestore, asked: string): string {
  const own = provider ?? defaultProvider;
  return own === asked ? ` (stored for ${panel})` : ` (from the state; to query the panel, use --provider ${own})`;
}

type Looked = Pick<StatusResult, "requests"> & { readonly read?: Read | undefined; readonly problem?: string };

/** Far below the feed's own limit. */
const mostRequests = 2_000;

/** Walks down the list once, to the oldest row that any of the restores needs. */
async function lookAt(
  restores: readonly StackRestore[],
  settings: Settings,
  around: PanelReadOptions,
): Promise<Looked> {
  const { client, guard, feed } = guardedFeed(settings, mostRequests, around);
  const depths = restores.map(depthOf).filter((depth) => depth !== undefined);
  try {
    // The feed combines reads that are requested at the same time.
    const [read] = await Promise.all(depths.map((depth) => feed.read(depth, 0)));
    return { read, requests: guard.exchanges.length };
  } catch (error) {
    return { problem: errorMessage(error), requests: guard.exchanges.length };
  } finally {
    client.close();
  }
}
