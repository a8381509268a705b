import assert from "node:assert/strict";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Format } from "../../../provider/panel/types";
import { settle } from "../../support/virtual-clock";
import { attempt, recordingReporter, makeIntent, requestFor } from "../../support/restore-programs";
import { virtualPanel } from "../../support/virtual-panel";

interface Soak {
  readonly format: Format;
  readonly waits: number;
  /** How many of them go on side by side. */
  readonly atOnce: number;
  readonly restoreSeconds: number;
  /** Between two waves, when nobody waits for anything. */
  readonly restHours: number;
}

/** What a run of waits left in memory, beside what the panel itself has written down. */
interface Residue {
  readonly simulatedDays: number;
  readonly bytesPerWait: number;
}

/** A panel with other people's work on it, so that rows come and go while restores are waited for. */
const rowsPerSecond = 0.1;
const firstMachine = 1_000;

/** Restores, wave after wave, in one process that goes on for days. After every wave nothing may be left that still waits. */
export async function soak({ format, waits, atOnce, restoreSeconds, restHours }: Soak): Promise<Residue> {
  const ids = Array.from({ length: atOnce }, (_, index) => firstMachine + index);
  const panel = virtualPanel(format, {
    slots: atOnce,
    scenario: {
      machines: ids.map((id) => ({ id, recoveryPoints: [1007], restoreSeconds })),
      background: { perSecond: rowsPerSecond },
    },
  });
  const session = panel.newSession();
  const began = panel.clock.now();

  const wave = async (): Promise<void> => {
    const results = Promise.all(
      ids.map(async (id) => {
        const request = requestFor(await makeIntent(session, String(id)), { captureLog: "always" });
        return attempt(session, request, "first", recordingReporter());
      }),
    );
    for (const result of await panel.clock.run(results)) {
      assert.equal(result.kind, "good");
      assert.equal(result.kind === "good" && result.record.status, "complete");
    }
    await settle();
    assert.equal(panel.clock.pending, 0, "timers that nobody waits for");
    assert.equal(session.places.isFull, false);
    for (const id of ids) assert.equal(session.queues.of(String(id)).isFull, false, "a queue is still taken");
    const asked = panel.listRequests();
    await panel.clock.advance(restHours * 3_600_000);
    assert.equal(panel.listRequests(), asked, "the panel is asked although nobody waits");
  };

  const waves = Math.ceil(waits / atOnce);
  const warmUp = Math.max(1, Math.floor(waves / 4));
  for (let count = 0; count < warmUp; count++) await wave();
  const before = heapAtRest();
  for (let count = warmUp; count < waves; count++) await wave();
  const bytes = heapAtRest() - before;

  assert.equal(panel.sandbox.acceptedPosts(), waves * atOnce);
  return {
    simulatedDays: (panel.clock.now() - began) / 86_400_000,
    bytesPerWait: bytes / ((waves - warmUp) * atOnce),
  };
}

let collect: (() => void) | undefined;

/** What is in use once nothing more can be collected. */
function heapAtRest(): number {
  if (collect === undefined) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as () => void;
  }
  for (let round = 0; round < 3; round++) collect();
  return process.memoryUsage().heapUsed;
}
