import assert from "node:assert/strict";
import type { Format } from "../../../provider/panel/types";
import type { Intent } from "../../../provider/inputs/intent";
import type { RestoreKind } from "../../../provider/inputs/restore-table";
import { isFinished, type RestoreRecord } from "../../../provider/inputs/record";
import { refreshRecord } from "../../../provider/restore/resume-restore";
import type { RestoreResult } from "../../../provider/restore/result";
import type { PanelSession } from "../../../provider/restore/panel-session";
import type { DialectOption, Faults } from "../../../sandbox";
import {
  attempt,
  type Attempt,
  recordingReporter,
  makeIntent,
  requestFor,
  resume,
} from "../../support/restore-programs";
import { virtualPanel, type VirtualPanel } from "../../support/virtual-panel";

interface Case {
  readonly format: Format;
  readonly seed: number;
  readonly faults: Partial<Faults>;
}

/** What became of one restore, as it is told and as it is. */
interface Ending {
  readonly status: RestoreRecord["status"];
  /** What was really done to its machine; undefined when no POST was carried out. */
  readonly truth?: string;
}

/** One declared restore, and what the engine's state holds of it on the way. */
interface Declared {
  readonly machine: string;
  readonly kind: RestoreKind;
  intent?: Intent;
  record?: RestoreRecord;
  /** What the last run said, when it did not go well. */
  complaint?: string;
}

export const outcomes = ["complete", "failed", "cancelled"] as const;
const presets: readonly DialectOption[] = ["plain", "modern", "awkward", { preset: "plain", idStyle: "alphanumeric" }];
/** Runs on a faulty panel; after them it is calm. */
const faultyRuns = 4;
/** A refused restore is tried again by the next run, an unfinished one goes on; on a calm panel that takes no more. */
const calmRuns = 2;

/**
 * Three restores side by side in one process, one that completes, one that fails, one that is cancelled, on a panel that
 * strikes at random. Run after run, as the engine would call them, until they have ended; what is known of each is held
 * against what the panel really did after every step.
 */
export async function liveThroughFaults({ format, seed, faults }: Case): Promise<readonly Ending[]> {
  const panel = virtualPanel(format, { seed, dialect: presets[seed % presets.length] ?? "plain", faults });
  const declared: Declared[] = outcomes.map((outcome, index) => {
    const machine = String(42 + index);
    panel.sandbox.failNext(machine, { outcome, seconds: 5 + ((seed * 37 + index * 61) % 200) });
    return { machine, kind: (seed + index) % 2 === 0 ? "VmRestore" : "FileRestore" };
  });
  for (let run = 0; run < faultyRuns + calmRuns && !declared.every(hasEnded); run++) {
    if (run === faultyRuns) panel.sandbox.setFaults({ get: {}, post: {} });
    const session = panel.newSession();
    await panel.clock.run(Promise.all(declared.map((one) => bringUp(panel, session, one))));
    assert.equal(panel.clock.pending, 0, "no timer is left behind by a run");
    judgePosts(panel, declared);
    await panel.clock.advance(30_000);
  }
  return declared.map(({ machine, record, complaint }) => {
    assert.ok(record, `machine ${machine} never got anywhere: ${complaint ?? ""}`);
    const truth = panel.sandbox.restores().find(({ machineId }) => machineId === machine)?.status;
    return { status: record.status, ...(truth !== undefined && { truth }) };
  });
}

function hasEnded({ record }: Declared): boolean {
  return isFinished(record?.status);
}

/** What one `up`, with a refresh before it, does for one restore. */
async function bringUp(panel: VirtualPanel, session: PanelSession, one: Declared): Promise<void> {
  if (hasEnded(one)) return;
  const { machine, kind } = one;
  let which: Attempt = "later";
  if (one.intent === undefined) {
    const made = await makeIntent(session, machine, { kind }).catch(() => undefined);
    if (made === undefined) return;
    one.intent = made;
    which = "first";
  }
  const request = requestFor(one.intent, { name: `of-${machine}` });
  if (one.record === undefined) {
    store(panel, one, await attempt(session, request, which, recordingReporter()));
    return;
  }
  const refreshed = await refreshRecord(session, request, one.record, one.intent.id).catch(() => undefined);
  if (refreshed) remember(panel, one, refreshed);
  if (!hasEnded(one)) store(panel, one, await resume(session, request, one.record, one.intent.id, recordingReporter()));
}

function store(panel: VirtualPanel, one: Declared, result: RestoreResult): void {
  if (result.kind === "not-posted") {
    one.complaint = result.reason;
    assert.notEqual(result.reason, "");
    assert.equal(panel.sandbox.acceptedPosts(one.machine), 0, `said not to be posted, and was: ${result.reason}`);
    return;
  }
  remember(panel, one, result.record);
  if (result.kind === "good") assert.equal(result.record.status, "complete");
  else assert.ok(result.reasons.length > 0 && result.reasons.every((reason) => reason !== ""), "no reason given");
}

/** The engine keeps plain data. What it says must be so, now, on the panel. */
function remember(panel: VirtualPanel, one: Declared, record: RestoreRecord): void {
  one.record = JSON.parse(JSON.stringify(record)) as RestoreRecord;
  const { status } = record;
  if (isFinished(status)) {
    const [truth, ...more] = panel.sandbox.restores().filter(({ machineId }) => machineId === one.machine);
    assert.equal(more.length, 0);
    assert.equal(
      status,
      truth?.status,
      `machine ${one.machine} is said to be ${status}, and is ${truth?.status ?? "untouched"}`,
    );
    assert.deepEqual(record.transactionIds, truth?.transactionIds);
  } else {
    assert.ok(record.postedAfter, "an unfinished record can be resumed from");
  }
  assert.equal(record.adopted, false, "nothing was there to adopt");
}

/** A POST may only follow one that the panel certainly refused. */
function judgePosts(panel: VirtualPanel, declared: readonly Declared[]): void {
  for (const { machine } of declared) {
    const posts = panel.sandbox
      .requests()
      .filter(({ method, path }) => method === "POST" && path.includes(`/${machine}/`));
    for (const { status = 0, fault } of posts.slice(0, -1)) {
      assert.ok(
        status >= 300 && status < 500,
        `posted again after ${fault ?? "a POST"} (${String(status)}) to machine ${machine}`,
      );
    }
    assert.ok(panel.sandbox.acceptedPosts(machine) <= 1);
  }
}
