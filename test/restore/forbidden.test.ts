import assert from "node:assert/strict";
import { PanelError } from "../../provider/panel/errors";
import type { MachineId } from "../../provider/panel/types";
import type { RestoreRecord } from "../../provider/inputs/record";
import { refreshRecord } from "../../provider/restore/resume-restore";
import type { PanelSession } from "../../provider/restore/panel-session";
import { attempt, recordingReporter, makeIntent, requestFor, resume } from "../support/restore-programs";
import { virtualPanel, type VirtualPanel } from "../support/virtual-panel";

/** A read that a run may begin with. It resolves when it went well. */
interface FirstRead {
  readonly what: string;
  /** What has to be there before permission is missing, and the read itself. */
  readonly prepare: (panel: VirtualPanel) => Promise<(session: PanelSession) => Promise<unknown>>;
}

const intend = (panel: VirtualPanel) => panel.clock.run(makeIntent(panel.newSession()));

/** A restore that is on the panel and was stored as running. */
async function storedRestore(panel: VirtualPanel): Promise<RestoreRecord> {
  const id = panel.sandbox.postRestoreAsSomebodyElse(42, 1007, { seconds: 1 });
  await panel.clock.advance(60_000);
  return { status: "running", transactionId: id, transactionIds: [id], adopted: false, warnings: [] };
}

const firstReads: readonly FirstRead[] = [
  { what: "an intent's mark", prepare: () => Promise.resolve((session) => makeIntent(session)) },
  { what: "a function's list", prepare: () => Promise.resolve((session) => session.client.listTransactions()) },
  {
    what: "a function's log",
    prepare: () => Promise.resolve((session) => session.client.listLogItems("42" as MachineId)),
  },
  {
    what: "the read that shows whether the machine is free",
    prepare: async (panel) => {
      const intent = await intend(panel);
      return async (session) => {
        const result = await attempt(session, requestFor(intent), "first", recordingReporter());
        assert.equal(result.kind, "good");
      };
    },
  },
  {
    what: "the look back for an earlier run's restore",
    prepare: async (panel) => {
      const intent = await intend(panel);
      return async (session) => {
        const result = await attempt(session, requestFor(intent), "later", recordingReporter());
        assert.equal(result.kind, "good");
      };
    },
  },
  {
    what: "the poll for a stored restore",
    prepare: async (panel) => {
      const [record, request] = [await storedRestore(panel), requestFor(await intend(panel))];
      return async (session) => {
        assert.equal((await resume(session, request, record, "me", recordingReporter())).kind, "good");
      };
    },
  },
  {
    what: "a refresh",
    prepare: async (panel) => {
      const [record, request] = [await storedRestore(panel), requestFor(await intend(panel))];
      return async (session) => {
        assert.equal((await refreshRecord(session, request, record, "me")).status, "complete");
      };
    },
  },
];

for (const format of ["json", "xml"] as const) {
  describe(`a permission that is missing when a run begins, ${format}`, () => {
    for (const { what, prepare } of firstReads) {
      for (const times of [1, 2]) {
        it(`${times === 1 ? "once" : "twice"}: ${what} goes on`, async () => {
          const panel = virtualPanel(format);
          const read = await prepare(panel);
          panel.sandbox.setFaults({ get: { refuse: { status: 403, first: times } } });
          await panel.clock.run(read(panel.newSession()));
          assert.equal(panel.clock.pending, 0);
        });
      }
    }

    it("for good ends a read after a few tries", async () => {
      const panel = virtualPanel(format);
      panel.sandbox.setFaults({ get: { refuse: { status: 403 } } });
      const before = panel.listRequests();
      await assert.rejects(
        panel.clock.run(makeIntent(panel.newSession())),
        (error: unknown) => error instanceof PanelError && error.kind === "forbidden",
      );
      assert.equal(panel.listRequests() - before, 3);
    });

    it("is not a refused password, which is not tried again", async () => {
      const panel = virtualPanel(format);
      panel.sandbox.setFaults({ get: { unauthorized: { first: 1 } } });
      const before = panel.listRequests();
      await assert.rejects(
        panel.clock.run(makeIntent(panel.newSession())),
        (error: unknown) => error instanceof PanelError && error.kind === "credentials",
      );
      assert.equal(panel.listRequests() - before, 1);
    });
  });
}
