import type { PanelOptions } from "../../../sandbox";
import type { Killable } from "../support/killable";
import { posts } from "../support/posts";
import { signal } from "../support/processes";
import type { Sandbox } from "../support/scene";
import { waitUntil } from "../support/wait-until";

/** A moment in a restore's life at which something is killed. */
export interface Moment {
  /** How the panel must behave so that the moment lasts long enough for a kill. */
  readonly panel?: PanelOptions;
  /** Used instead of `panel` if the panel is about to lose power, along with all requests that it has not handled yet. */
  readonly panelLosingPower?: PanelOptions;
  /** If the provider process notices the kill at this moment, it has nothing to finish, so it posts nothing. */
  readonly isBeforePost?: true;
  reached(panel: Sandbox, run: Killable): Promise<void>;
}

const limitMs = 180_000;

const listReads = (panel: Sandbox) => panel.requests().filter(({ path }) => path.startsWith("/transactions"));

export const moments = {
  "before the mark": {
    isBeforePost: true,
    panel: { faults: { get: { delay: { first: 1, seconds: 2 } } } },
    reached: (panel) => waitUntil(() => listReads(panel).length > 0, limitMs, "the first read of the list"),
  },
  "between mark and POST": {
    isBeforePost: true,
    panel: { faults: { get: { delay: { after: 1, times: 1, seconds: 2 } } } },
    reached: (panel) => waitUntil(() => listReads(panel).length > 1, limitMs, "the read before the POST"),
  },
  "after the POST was sent": {
    panel: { faults: { post: { delay: { seconds: 1.5 } } } },
    panelLosingPower: { faults: { post: { timeout: { handled: true } } } },
    reached: (panel) => waitUntil(() => posts(panel).length > 0, limitMs, "a POST on its way"),
  },
  "after the POST was answered": {
    reached: (panel) => waitUntil(() => posts(panel).some(({ status }) => status !== undefined), limitMs, "an answer"),
  },
  "while unlisted": {
    panel: { dialect: { listingDelaySeconds: 6 } },
    reached: (_panel, run) => run.output(/not listed yet/, limitMs),
  },
  "while queued": { panel: { slots: 1 }, reached: (_panel, run) => run.output(/\] pending/, limitMs) },
  "while running": { reached: (_panel, run) => run.output(/running/, limitMs) },
  "after the end, before the engine recorded it": {
    async reached(panel, run) {
      await run.output(/running/, limitMs);
      // A stopped provider cannot report to the engine that the restore has ended.
      for (const { kind, pid } of run.processes()) if (kind === "provider") signal(pid, "SIGSTOP");
      await waitUntil(
        () => panel.restores().every(({ status }) => status === "complete"),
        limitMs,
        "the restores to end",
      );
    },
  },
} as const satisfies Record<string, Moment>;

export type MomentName = keyof typeof moments;
