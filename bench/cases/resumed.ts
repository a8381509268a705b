import type { DialectOption } from "../../sandbox";
import { recordingReporter, makeIntent, requestFor, resume } from "../../test/support/restore-programs";
import { storedStillRunning } from "../../test/restore/support/still-running";
import { virtualPanel } from "../../test/support/virtual-panel";
import { count, milliseconds, type Case } from "../report";

const rowsPerSecond = 20;
const rowsAbove = 100_000;
const mostRequests = 30;

interface Kind {
  readonly name: string;
  readonly dialect: DialectOption;
  readonly pageLength: number;
}

const kinds: readonly Kind[] = [
  { name: "pages of 100", dialect: "plain", pageLength: 100 },
  { name: "pages of 10", dialect: { preset: "plain", pageCap: 10 }, pageLength: 10 },
];

export const resumed: Case = {
  name: "resumed",
  async run() {
    const measured: (Kind & { readonly requests: number; readonly ms: number })[] = [];
    for (const kind of kinds) measured.push({ ...kind, ...(await resumedOn(kind.dialect)) });
    const most = Math.max(...measured.map(({ requests }) => requests));
    return {
      title: `A restore resumed ${count(rowsAbove)} rows down`,
      about:
        "An earlier run has stored it as running; since then others have added the rows above it, and it has ended. From the beginning of " +
        "the update to its end: list requests, by the panel's count, and how long that took with the panel in the same process. " +
        "Beside it what it takes to walk there page by page.",
      columns: ["", "list requests", "took", "page by page"],
      rows: measured.map(({ name, requests, ms, pageLength }) => [
        name,
        count(requests),
        milliseconds(ms),
        `${count(rowsAbove / pageLength)} requests`,
      ]),
      bars: [
        { claim: `at most ${String(mostRequests)} list requests`, measured: count(most), met: most <= mostRequests },
      ],
    };
  },
};

async function resumedOn(dialect: DialectOption): Promise<{ readonly requests: number; readonly ms: number }> {
  const panel = virtualPanel("json", { dialect, scenario: { background: { perSecond: rowsPerSecond } } });
  const record = await storedStillRunning(panel);
  await panel.clock.advance((rowsAbove / rowsPerSecond) * 1_000);
  const session = panel.newSession();
  const request = requestFor(await panel.clock.run(makeIntent(session)));
  const before = panel.listRequests();
  const startedAt = performance.now();
  const result = await panel.clock.run(resume(session, request, record, "later run", recordingReporter()));
  if (result.kind !== "good") throw new Error(`the resumed restore ended as ${result.kind}`);
  return { requests: panel.listRequests() - before, ms: performance.now() - startedAt };
}
