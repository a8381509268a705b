import assert from "node:assert/strict";
import { classOf } from "./explore";
import type { History } from "./history";
import { live } from "./live";
import { Process, type Asked } from "../../support/process";
import { goodFate, plainManners, type PanelAtWork } from "../../support/panel-at-work";
import type { Properties } from "../../support/program";

/** Two undisturbed restores of one machine, and a run that is killed right after the first POST. */
const calm: History = {
  manners: { ...plainManners, stopMs: 0, older: false },
  restores: [0, 1].map(() => ({
    kind: "VmRestore",
    machine: "42",
    point: "1001",
    wait: true,
    retryFailed: true,
    timeouts: {},
  })),
  fates: [goodFate],
  steps: [],
};
const killed: History = {
  ...calm,
  steps: [{ run: "up", kill: { after: "sent", nth: 1, ms: 5_000, orphanMs: 0 }, pauseMs: 0 }],
};

/** A naive provider: posts each restore, waits this long, and then reports it as complete with these ids. */
function withNaive(ids: (panel: PanelAtWork) => readonly string[], waitMs: number) {
  return (id: string, panel: PanelAtWork): Process =>
    new Process(id, panel, {}, (process): Asked => {
      const send = panel.transportOf(process);
      const outs = (inputs: Properties, record: Properties): Properties => ({ ...inputs, ...record });
      const operations: Asked["VmRestore"] = {
        check: (_olds, news) => ({ inputs: news as Properties, failures: [] }),
        diff: () => ({ changes: false }),
        create: async (inputs) => {
          if (inputs["__intent"] === undefined) return { id: "intent", outs: outs(inputs, { intentId: "intent" }) };
          const path = "/virtual_machines/42/backups/recovery_points/1001/restore.json";
          await send({ method: "POST", path, headers: {}, signal: new AbortController().signal });
          await panel.time.pause(waitMs);
          return { id: "restore", outs: outs(inputs, { status: "complete", transactionIds: ids(panel) }) };
        },
        update: (_id, _olds, news) => Promise.resolve({ outs: news }),
        read: (of, props) => Promise.resolve({ id: of, props }),
        delete: () => Promise.resolve(),
      };
      return { VmRestore: operations, FileRestore: operations, Intent: operations };
    });
}

const newest = ({ works }: PanelAtWork): readonly string[] =>
  works.slice(-1).flatMap(({ parts }) => parts.map(({ id }) => id));
const oldest = ({ works }: PanelAtWork): readonly string[] =>
  works.slice(0, 1).flatMap(({ parts }) => parts.map(({ id }) => id));

describe("the exploration's witness", () => {
  const table: Readonly<
    Record<string, readonly [history: History, provider: ReturnType<typeof withNaive>, found: string | undefined]>
  > = {
    "nothing if each restore is posted once and awaited": [calm, withNaive(newest, 60_000), undefined],
    "a second POST after a kill": [killed, withNaive(newest, 60_000), "FAULT: a second POST; the first one: complete"],
    "a restore that is reported as complete too early": [
      calm,
      withNaive(newest, 1_000),
      "FAULT: complete, while its own restore is running",
    ],
    "a restore that is complete with another restore's transaction": [
      calm,
      withNaive(oldest, 60_000),
      "FAULT: complete with another restore's transaction for its own",
    ],
    "a restore complete without a transaction": [calm, withNaive(() => [], 6e4), "FAULT: complete with no transaction"],
  };
  for (const [what, [history, provider, found]] of Object.entries(table))
    it(`reports ${what}`, async () => {
      assert.equal(classOf(await live(history, { provider })), found);
    });
});
