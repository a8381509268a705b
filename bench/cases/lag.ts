import { seconds, type Case } from "../report";
import { median } from "../statistics";
import type { Drill, Outcome } from "../simulation/drill";
import { withSharedFeed } from "../simulation/shared-feed";
import { withOnePollerEach } from "../simulation/one-poller-each";

const drill: Drill = { restores: 100, runsForSeconds: (index) => 300 + ((index * 61.7) % 600) };
/** The longest allowed lag: ten seconds to notice the end, plus `timeouts.settle`. */
const longestMs = 25_000;

export const lag: Case = {
  name: "lag",
  async run() {
    const ours = await withSharedFeed(drill);
    const every5 = await withOnePollerEach(drill, { everyMs: 5_000, sampleEvery: 1 });
    const every10 = await withOnePollerEach(drill, { everyMs: 10_000, sampleEvery: 1 });
    const worst = Math.max(...ours.lagsMs);
    return {
      title: "Lag between a restore's end and its detection",
      about: "100 restores, posted together, run for 5 to 15 minutes each, in virtual time.",
      columns: ["", "median", "worst", "list requests"],
      rows: [row("pulumi-recovery", ours), row("one poller each, 5 s", every5), row("one poller each, 10 s", every10)],
      bars: [
        {
          claim: "worst lag at most 10 s plus `timeouts.settle` (15 s)",
          measured: seconds(worst),
          met: worst <= longestMs,
        },
      ],
    };
  },
};

function row(name: string, { lagsMs, listRequests }: Outcome): string[] {
  return [name, seconds(median(lagsMs)), seconds(Math.max(...lagsMs)), listRequests.toLocaleString("en-US")];
}
