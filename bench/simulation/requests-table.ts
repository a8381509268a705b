import { count, type Bar, type Report } from "../report";
import { tenMinutes, type Drill } from "./drill";
import { withSharedFeed } from "./shared-feed";
import { withOnePollerEach } from "./one-poller-each";

interface RequestsCase {
  readonly title: string;
  readonly about: string;
  readonly drill: Pick<Drill, "dialect" | "foreignRowsPerSecond">;
  readonly sizes: readonly { readonly restores: number; readonly sampleEvery: number; readonly atMost?: number }[];
}

const pageSize = 100;

/** Compares list requests for restores of ten minutes: this package, and one poller per restore. */
export async function requestsTable({ title, about, drill, sizes }: RequestsCase): Promise<Report> {
  const rows: string[][] = [];
  const bars: Bar[] = [];
  for (const { restores, sampleEvery, atMost } of sizes) {
    const whole: Drill = { ...drill, restores, runsForSeconds: tenMinutes };
    const ours = await withSharedFeed(whole);
    const every5 = await withOnePollerEach(whole, { everyMs: 5_000, pageSize, sampleEvery });
    const every10 = await withOnePollerEach(whole, { everyMs: 10_000, pageSize, sampleEvery });
    rows.push([
      count(restores),
      count(ours.listRequests),
      count(every5.listRequests),
      count(every10.listRequests),
      `${(every10.listRequests / ours.listRequests).toFixed(1)}×`,
    ]);
    if (atMost !== undefined) {
      bars.push({
        claim: `${count(restores)} restores: at most ${count(atMost)} list requests`,
        measured: count(ours.listRequests),
        met: ours.listRequests <= atMost,
      });
    }
  }
  return {
    title,
    about: `${about} Virtual time, the sandbox in process, by its own count; from the intents' marks to the last end.`,
    columns: ["restores", "pulumi-recovery", "one poller each, 5 s", "one poller each, 10 s", "10 s against ours"],
    rows,
    bars,
  };
}
