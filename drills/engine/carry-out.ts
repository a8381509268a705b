import { secretsOf } from "../checks/kinds";
import { runCheck } from "../checks/run-check";
import type { EngineLog } from "../../provider/engine/engine-log";
import type { PlannedOptions, WaveOptions } from "../inputs/wave-texts";
import { formatDuration } from "../../provider/inputs/duration";
import { maskSecrets } from "../../provider/panel/mask";
import { secretsRedactor } from "../../provider/panel/secrets";
import { formatUtc, measuredSeconds } from "../../provider/plain/clock";
import { groupBy, omitUndefined, own } from "../../provider/plain/plain";
import { errorMessage } from "../../provider/plain/text";
import { idOnRow } from "../../provider/restore/messages";
import type { Reporter } from "../../provider/restore/result";
import { beginRun, type Session } from "../../provider/restore/session";
import { type AskedRestore, isAfterLost, isPerhapsSent, changeMarkOf, leftOpen } from "../judge/asked";
import { failedAtLast } from "../judge/goals";
import { type Attempt, isSending, nextStep, openChecks, pointIdOf, provenAt, transactionText } from "../judge/history";
import { required } from "../judge/read";
import type { IntentText, Unfinished, WaveRecord } from "../judge/stored";
import {
  addResult,
  Ledger,
  otherPanelText,
  pastOf,
  recordOfAttempt,
  requestOf,
  shortWhy,
  type Core,
} from "./one-restore";
import { claimRecord, ownerOf, unfinishedOf } from "./sent-before";
import { WaveProgress } from "./progress";

/** Everything needed to carry out a wave. A restore's history is passed in and returned only as events. */
export interface WaveWork {
  readonly restores: readonly AskedRestore[];
  readonly marks: IntentText["marks"];
  readonly core: Core;
  readonly session: Session;
  readonly up: string;
  readonly urn: string;
  readonly options: WaveOptions;
  readonly record: WaveRecord;
  /** The incomplete restores of earlier waves, by machine. */
  readonly openBefore: ReadonlyMap<string, string>;
  readonly isFollowed: (machine: string, isRepeated: boolean) => boolean;
  /**
   * When this process first turned to a machine: the wait for an earlier `up`'s POST, which the machine's restores share, began then. `-Infinity` once this
   * process has sent a whole-machine restore after a search, or has seen it running, because nothing that another process sent before can then still arrive.
   */
  readonly quietSince: Map<string, number>;
  readonly engineLog: EngineLog;
}

export interface WaveDone {
  readonly record: WaveRecord;
  readonly reasons: Readonly<Record<string, readonly string[]>>;
  /** The panel's log and the output of failed checks, by restore name. */
  readonly logs: Readonly<Record<string, string>>;
}

/** Runs each machine's restores in program order, and all machines in parallel. Returns once every restore and check has ended or stopped. Never throws. */
export async function carryOut(work: WaveWork): Promise<WaveDone> {
  const wave = new WaveRun(work);
  // Prevents a restore from adopting transactions of other restores in this wave, or of earlier attempts or runs. Earlier waves have claimed their own.
  claimRecord(work.session, work.urn, work.record);
  wave.progress.begin();
  await Promise.all(
    [...wave.ofMachine].map(async ([machine, ledgers]) => {
      let behind = work.openBefore.get(machine);
      for (const ledger of ledgers) if (!(await wave.restore(ledger, behind))) behind = ledger.name;
      await Promise.all(ledgers.map((ledger) => wave.check(ledger, behind)));
    }),
  );
  wave.progress.end();
  return wave.done();
}

class WaveRun {
  readonly progress: WaveProgress;
  readonly ofMachine: ReadonlyMap<string, readonly Ledger[]>;
  readonly #ledgers: readonly Ledger[];
  readonly #reasons: Record<string, readonly string[]> = {};
  /** The panel's logs and the checks' outputs, one string per restore, as long as there is room. */
  readonly #logs: Record<string, string> = {};
  #logsLength = 0;

  constructor(private readonly work: WaveWork) {
    const { clock } = work.session;
    this.#ledgers = work.restores.map(({ name, asked, entry, events }) => {
      const mark = changeMarkOf(entry, name, work.record);
      const isOwn = own(work.marks, mark)?.process === work.up;
      const ledger = new Ledger({ name, entry, events, mark, isOwn }, () => clock.wallTime());
      for (const { id, why } of leftOpen(name, asked, entry, work.record))
        ledger.add(stopBecause(why === undefined ? "lost" : why === "kept" ? "kept" : "refused"), id);
      return ledger;
    });
    this.ofMachine = groupBy(this.#ledgers, ({ entry }) => entry.machine);
    this.progress = new WaveProgress(this.#ledgers.length, clock, (text) => {
      this.#show(text);
    });
  }

  /** Returns true if the restore is complete, whatever its checks show, so that the machine's next restore may follow. */
  async restore(ledger: Ledger, behind: string | undefined): Promise<boolean> {
    const { name } = ledger;
    this.progress.said(name, "");
    await this.#trying(ledger, () => this.#restore(ledger, behind));
    this.progress.ended(name);
    this.#showEnd(ledger);
    const isComplete = ledger.happened.state === "complete";
    if (!isComplete || this.#checks(name).length === 0) this.#isDone(name);
    return isComplete;
  }

  /** After any restore of a machine ends, all the machine's checks run again, but not while another of its restores (`open`) is incomplete. */
  async check(ledger: Ledger, open: string | undefined): Promise<void> {
    const asked = this.#checks(ledger.name);
    if (ledger.happened.state !== "complete" || asked.length === 0) return;
    await this.#trying(ledger, async () => {
      const hasEnded = this.ofMachine.get(ledger.entry.machine)?.some((one) => one.hasEndedNow) === true;
      const isChanged = open === undefined && hasEnded;
      const checks = isChanged ? asked.map((one) => one.name) : openChecks(ledger.happened.counts, asked);
      if (open === undefined || checks.length === 0) return this.#check(ledger, checks);
      return [`complete, but not checked, because ${open}, on the same machine, is not complete`];
    });
    this.#isDone(ledger.name);
  }

  #isDone(name: string): void {
    this.progress.done(name, own(this.#reasons, name) === undefined);
  }

  /** Catches a restore's errors, so that the wave's other restores still finish. */
  async #trying(ledger: Ledger, work: () => Promise<readonly string[]>): Promise<void> {
    let reasons: readonly string[];
    try {
      reasons = await work();
    } catch (error) {
      const why = shortWhy(errorMessage(error));
      ledger.add({ did: "stopped", sent: "unknown", why });
      reasons = [why];
    }
    if (reasons.length > 0) this.#reasons[ledger.name] = [...(own(this.#reasons, ledger.name) ?? []), ...reasons];
  }

  done(): WaveDone {
    const { record } = this.work;
    // A restore is posted only once nothing on its machine is running.
    const isOpen = ({ machine }: Unfinished): boolean =>
      !this.#attempted(machine).some(({ sent }) => sent.did === "posted");
    const { address } = this.work.session.client;
    const earlierSends = record.earlierSends?.map((one) =>
      one.panel === address ? { ...one, unfinished: one.unfinished.filter(isOpen) } : one,
    );
    // A restore that was removed from the plan keeps its record.
    const restores = { ...record.restores, ...Object.fromEntries(this.#ledgers.map((one) => [one.name, one.events])) };
    const lost = record.lost?.filter((machine) => this.#attempted(machine).length === 0);
    return { record: { ...record, restores, earlierSends, lost }, reasons: this.#reasons, logs: this.#logs };
  }

  #show(text: string): void {
    this.work.engineLog.progress(this.work.urn, text);
  }

  async #restore(ledger: Ledger, behind: string | undefined): Promise<readonly string[]> {
    const { core, session, urn, marks } = this.work;
    const { name, entry } = ledger;
    const options = this.#options(name);
    if (options.adopt === undefined) ledger.changeSent({ adopt: undefined });
    const step = nextStep(ledger.happened, { ...options, checks: [] });
    if (step === undefined || step.does === "check") return [];
    if (step.does === "keep") return [step.why];
    const mark = required(own(marks, ledger.mark), `the mark of ${name}`);
    const place = JSON.stringify([session.client.address, entry.machine]);
    const since = this.work.quietSince.get(place);
    if (isSending(step.does) && behind !== undefined) {
      // Still counts as not sent while it is held back. Before it is sent, it is searched for, because a killed `up` may have sent it.
      const isUnsent = ledger.happened.stop?.sent === "no" && since === -Infinity;
      return ledger.stop(
        `not sent: ${behind}, the previous restore of machine ${entry.machine}, is not complete`,
        isUnsent,
      );
    }
    const elsewhere = otherPanelText(mark, session.client.address);
    if (elsewhere !== undefined) return ledger.stop(elsewhere);
    const isFollowed = this.work.isFollowed(
      entry.machine,
      ledger.happened.attempts.some(({ ended }) => ended?.status === "complete"),
    );
    const request = { ...requestOf(name, entry, mark, options, urn), isFollowed };
    const isPerhapsLost = isPerhapsSent(entry, this.work.record) && this.#attempted(entry.machine).length === 0;
    const all = this.ofMachine.get(entry.machine) ?? [];
    // What is found may also be a replaced request of a restore before this one. Those behind it had nothing sent yet.
    const upTo = ledger.isOwn ? [ledger] : all.slice(0, all.indexOf(ledger) + 1);
    const isReplaced = (one: Ledger): boolean =>
      isAfterLost(one.entry, one.events) ||
      (one !== ledger && one.events.some((event) => event.did === "stopped" && event.because === "lost"));
    const past = pastOf(ledger, mark, isPerhapsLost || upTo.some(isReplaced), since);
    this.work.quietSince.set(place, since ?? session.clock.now());
    const reporter = this.#reporterOf(ledger, past !== undefined);
    const named = step.does === "adopt" ? options.adopt : undefined;
    const run = beginRun({ session, request, owner: ownerOf(urn, entry.id), reporter });
    const record = recordOfAttempt(ledger.happened, mark);
    const { result } =
      named !== undefined
        ? await core.take(run, named, record?.mark ?? mark)
        : step.does === "wait" && record !== undefined
          ? await core.resume(run, record)
          : await core.attempt(run, past, unfinishedOf(this.work.record, entry.machine, session.client.address));
    if (past !== undefined && named === undefined && ledger.isWatched && entry.paths === undefined)
      this.work.quietSince.set(place, -Infinity);
    if (result.kind !== "not sent") this.#keepLog(name, result.record.logOutput?.slice(-maxLogLength) ?? "");
    return addResult(ledger, result, reporter);
  }

  /** Records what the core reports about a restore. `isSearched`: the panel is searched before the restore is sent. */
  #reporterOf(ledger: Ledger, isSearched: boolean): Reporter {
    const { session, up, urn, engineLog } = this.work;
    const { name, entry } = ledger;
    const { clock, feed } = session;
    const began = clock.now();
    const about = { up, machine: entry.machine, paths: entry.paths, adopt: this.#options(name).adopt };
    const point = pointIdOf(entry);
    const add: Exclude<Reporter["event"], undefined> = (event) => {
      if (event.did === "posted") {
        const waitedSeconds = isSearched ? Math.round((clock.now() - began) / 1_000) : undefined;
        ledger.add({ ...about, did: "posted", answer: event.answer, mark: event.mark, point, waitedSeconds });
        ledger.isWatched = true;
        return;
      }
      const { ids } = event;
      if (event.did === "adopted") {
        const panelAt = feed.latest?.panelTime;
        // If the row names no point, the requested point is recorded, except for a transaction named in `adopt`, which may have used any point.
        ledger.add({
          ...{ ...about, did: "adopted", why: event.why },
          point: event.points?.[0] ?? (event.why === "found" ? point : undefined),
          panelAt: panelAt === undefined ? undefined : formatUtc(panelAt),
        });
      } else ledger.isWatched ||= !event.isOver;
      if (ids.length === 0 || ids.join() === ledger.happened.counts?.ids.join()) return;
      ledger.add({ did: "listed", ids });
      this.#show(`${name}: ${transactionText(ids.map(idOnRow))}`);
    };
    return {
      progress: (text) => {
        this.progress.said(name, text);
      },
      warn: (text) => {
        engineLog.warn(urn, `${name}: ${text}`);
      },
      event: add,
    };
  }

  /** The attempts to restore the machine. Before the first, the panel was searched for anything that another `up` may have sent. */
  #attempted(machine: string): readonly Attempt[] {
    return (this.ofMachine.get(machine) ?? []).flatMap(({ happened }) => happened.attempts);
  }

  async #check(ledger: Ledger, open: readonly string[]): Promise<readonly string[]> {
    const { session, core } = this.work;
    const { counts } = ledger.happened;
    // A call returns only after every check has run, unless the machine's files are not restored yet. So if the restore's end is stored but a check has no
    // result although others have, the check was added later.
    const before = counts?.checks ?? [];
    const ran = before.filter((one) => one.later !== true);
    // If the last check failed, a changed or added check counts as its replacement, not as a later check.
    const isProven = own(this.work.record.proofs, ledger.name)?.at === provenAt(counts);
    const hasRun = isProven || before.length > 0;
    const isLater = !ledger.hasEndedNow && hasRun && failedAtLast(ran) === undefined;
    const checks = this.#checks(ledger.name).filter(({ name }) => open.includes(name));
    const ended = await Promise.all(
      checks.map(async ({ name, asks, probe, ...times }) => {
        const outcome = await runCheck(session.clock, times, core.checkAttempt(probe));
        return { name, asks, probe, outcome };
      }),
    );
    // Failures are recorded last, so that any check recorded after a failure also began after it.
    const passedFirst = ended.sort((a, b) => Number(b.outcome.passed) - Number(a.outcome.passed));
    return passedFirst.flatMap(({ name, asks, probe, outcome }) => {
      const { endedAt, output, ...found } = outcome;
      const { passed, why } = found;
      const more = { why: why && shortWhy(why), later: isLater ? (true as const) : undefined };
      ledger.add({ did: "checked", check: name, asks, ...omitUndefined({ ...found, ...more }) }, undefined, endedAt);
      if (!passed && output !== undefined) this.#keepOutput(ledger.name, name, output, secretsOf(probe));
      return passed ? [] : [`check ${name} did not pass: ${why ?? "no reason given"}`];
    });
  }

  #keepLog(name: string, text: string): void {
    if (text === "" || this.#logsLength + text.length > maxLogsLength) return;
    this.#logsLength += text.length;
    this.#logs[name] = [own(this.#logs, name) ?? [], text].flat().join("\n\n");
  }

  /** Masks the output before shortening it, so that the cut cannot leave half a secret. */
  #keepOutput(name: string, check: string, output: string, secrets: readonly string[]): void {
    const masked = maskSecrets(output, (text) => this.work.session.redact(secretsRedactor(secrets)(text)));
    this.#keepLog(name, `check ${check}:\n${masked.slice(-maxOutputLength)}`);
  }

  #checks(name: string): NonNullable<PlannedOptions["checks"]> {
    return this.#options(name).checks ?? [];
  }

  #options(name: string): PlannedOptions {
    return own(this.work.options, name) ?? {};
  }

  #showEnd(ledger: Ledger): void {
    const { counts, state } = ledger.happened;
    if (counts === undefined || ledger.added(counts.entry).length === 0) return;
    const seconds = measuredSeconds(counts.ended);
    const took = seconds === undefined ? "" : ` in ${formatDuration(seconds)}`;
    this.#show(`${ledger.name}: ${state}${took} (${transactionText(counts.ids.map(idOnRow))})`);
  }
}

/** Why a request is recorded as dealt with, although it is not carried out. */
const stops = {
  lost: {
    sent: "unknown",
    why: "requested by an `up` that left no record, so it may have been sent; it has changed since then",
  },
  kept: { sent: "no", why: "complete, so changing the rule in its wave or plan does not send it again" },
  refused: { sent: "no", why: "`pulumi up` refused a change in its wave" },
} as const;

export const stopBecause = (because: keyof typeof stops) => ({ did: "stopped", because, ...stops[because] }) as const;

/** The size of logs and outputs is limited, because a failed wave sends everything that it stores in a single message. */
const maxLogsLength = 1_000_000;
const maxLogLength = 20_000;
const maxOutputLength = 4_000;
