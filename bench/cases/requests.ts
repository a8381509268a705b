import { type Bar, type Case, count } from "../report";
import { type Drill, tenMinutes } from "../simulation/drill";
import { withOnePollerEach } from "../simulation/one-poller-each";
import { withSharedFeed } from "../simulation/shared-feed";
import { omitUndefined } from "../../provider/plain/plain";

/** A case without `sampleEvery` is not compared with pollers, because a poller recognizes only rows that name its machine. */
const sizes: readonly (Pick<Drill, "restores"> & {
  readonly dialect?: "bare";
  readonly sampleEvery?: number;
  readonly atMost: number;
})[] = [
  { restores: 1, sampleEvery: 1, atMost: 80 },
  { restores: 100, sampleEvery: 1, atMost: 80 },
  { restores: 1_000, sampleEvery: 250, atMost: 160 },
  { restores: 100, dialect: "bare", atMost: 180 },
];

export const requests: Case = {
  name: "requests",
  async run() {
    const rows: string[][] = [];
    const bars: Bar[] = [];
    for (const { restores, dialect, sampleEvery, atMost } of sizes) {
      const drill: Drill = { restores, runsForSeconds: tenMinutes, ...omitUndefined({ dialect }) };
      const ours = (await withSharedFeed(drill)).listRequests;
      const others =
        sampleEvery === undefined
          ? []
          : [
              await withOnePollerEach(drill, { everyMs: 5_000, sampleEvery }),
              await withOnePollerEach(drill, { everyMs: 10_000, sampleEvery }),
            ].map(({ listRequests }) => listRequests);
      const name = `${count(restores)}${dialect === undefined ? "" : ` on a ${dialect} panel`}`;
      const [every5, every10] = others.map(count);
      const ratio = others[1] === undefined ? "–" : `${(others[1] / ours).toFixed(1)}×`;
      rows.push([name, count(ours), every5 ?? "–", every10 ?? "–", ratio]);
      bars.push({
        claim: `${name}: at most ${count(atMost)} list requests`,
        measured: count(ours),
        met: ours <= atMost,
      });
    }
    return {
      title: "List requests",
      about:
        "Restores of ten minutes each, all posted at the same time. A poller reads all rows that it needs in one request; for 1,000 restores, only every " +
        "250th poller was run. On a bare panel, no row names a machine, so restores are posted one after another. In virtual time, the sandbox counts the " +
        "requests from the intents' marks until the last restore ends.",
      columns: [
        "restores",
        "pulumi-recovery",
        "one poller each, 5 s",
        "one poller each, 10 s",
        "10 s relative to ours",
      ],
      rows,
      bars,
    };
  },
};
