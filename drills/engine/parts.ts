import type { CheckResult } from "../../provider/inputs/check-restore";
import { containsUnknown } from "../../provider/inputs/read-values";
import { MessageError, messageText, partsOf, withoutHelp } from "../../provider/plain/message";
import { nameInUrn } from "../../provider/inputs/resource-names";
import { entriesOf, isObject, omitUndefined, own, type Properties } from "../../provider/plain/plain";
import { readText } from "../../provider/plain/stored-fields";
import { firstFew } from "../../provider/plain/text";
import type { PointAccess } from "../../provider/points/choose-point-of-inputs";
import type { Session } from "../../provider/restore/session";
import type { EngineLog } from "../../provider/engine/engine-log";
import { plainFailure, StoredFailure } from "../../provider/engine/outputs";
import type { Verdict } from "../judge/judge";
import type { AskedFor, Entry, Placed, StoredRun } from "../judge/stored";
import type { PlannedWave } from "./entries";

export interface PlanProcess {
  /** Identifies this process: everything that it made was made in this run. */
  readonly id: string;
  readonly engineLog: EngineLog;
  session(urn: string | undefined): Session;
  listAccess(): PointAccess;
  whyNotAllowed(machine: string): string | undefined;
  namePanel(): void;
}

/** The calls that the engine makes. `diff` may log, and the engine may end the process right after its answer. */
export interface PlanOperations {
  check(olds: unknown, news: unknown): CheckResult | Promise<CheckResult>;
  diff(id: string, olds: Properties, news: Properties): Promise<{ readonly changes: boolean }>;
  create(inputs: Properties): Promise<{ id: string; outs: Properties }>;
  update(id: string, olds: Properties, news: Properties): Promise<{ outs: Properties }>;
  read(id: string, outputs: Properties): Promise<{ id: string; props: Properties }>;
  delete(id: string, outputs: Properties): Promise<void>;
}

/** The URN of the resource itself: the engine does not pass it to a dynamic provider. */
export function rowOf(properties: Properties): string {
  return readText(properties["__row"]) ?? "";
}

/** An alias or `pulumi stack rename` gave the part another URN, by which its record must be found if it is replaced later. */
export const isRenamed = (olds: Properties, news: Properties): boolean => rowOf(olds) !== rowOf(news);

/** Repeated in every output: without `__provider` a resource can never be deleted. */
export function ownOf(inputs: Properties): Properties {
  const { __provider, __row: row } = inputs;
  return omitUndefined<Properties>({ __provider, __row: row });
}

export function isKnown(...values: readonly unknown[]): boolean {
  return !values.some(containsUnknown);
}

/** The machines of each wave of a plan, in order, and what it asked for before. */
export type Places = { readonly waves: ReadonlyMap<string, readonly string[]> } & Pick<StoredRun, "askedBefore">;

interface PlannedIntent extends PlannedWave {
  /** Whether an intent that is created replaces another; undefined for one that is updated. */
  readonly isRemade?: boolean;
  readonly incidentAt?: string | undefined;
  /** What the intent holds of an earlier run. */
  readonly before?: readonly AskedFor[] | undefined;
}

/**
 * The parts of all plans that the engine has asked this process about, each with the part before it. The engine checks a part once everything before it has
 * done what the program declares, and never a part that `--target` or `--exclude` leaves out. An operation has one process.
 */
export class SeenParts {
  readonly #before = new Map<string, string | undefined>();
  /** By run. */
  readonly placed = new Map<string, Places>();
  /** The requests of each intent, which its outputs do not show in a preview. */
  readonly planned = new Map<string, PlannedIntent>();
  /** The stored parts: if the engine checks such a part without its inputs, it is being replaced. */
  readonly stored = new Set<string>();
  /** Of each wave: the restores that are not complete, by their machines. */
  readonly open = new Map<string, ReadonlyMap<string, string>>();
  readonly sentAgain = new Set<string>();
  /** By run: the requests of earlier runs that left nothing behind, as the stored waves show. Two plans may have the same requests. */
  readonly #over = new Map<string, Set<string>>();

  check(olds: unknown, news: unknown): { readonly inputs: Properties; readonly isNew: boolean } {
    const inputs = isObject(news) ? news : {};
    const isNew = entriesOf(olds).length === 0;
    this.#before.set(rowOf(inputs), readText(inputs["__after"]));
    if (!isNew) this.stored.add(rowOf(inputs));
    return { inputs, isNew };
  }

  /** A refresh, and the replacement of a previous part, only ask for a difference. */
  isAsked(inputs: Properties): boolean {
    return this.#before.has(rowOf(inputs));
  }

  /** Otherwise a part would follow another plan, or another order. */
  requireAllBefore(inputs: Properties): void {
    if (!this.isAsked(inputs) || this.#rowsBefore(inputs).every((row) => this.#before.has(row))) return;
    throw new MessageError({
      what: "`--target` or `--exclude` left out a previous part of the plan",
      next: "Run `pulumi up` for the whole plan",
      help: "plan",
    });
  }

  plannedBefore(inputs: Properties) {
    return this.planned.get(readText(inputs["__after"]) ?? "");
  }

  /** By machine, the incomplete restore in an earlier wave. */
  openBefore(inputs: Properties): ReadonlyMap<string, string> {
    return new Map(this.#rowsBefore(inputs).flatMap((row) => [...(this.open.get(row) ?? [])]));
  }

  /** A later wave that may have restored a machine: it runs too late to show whether it has. New triggers declare that it has not. */
  laterWave(inputs: Properties): (entry: Pick<Entry, "machine" | "triggers">) => string | undefined {
    const { later, waves, askedBefore } = this.#placeOf(inputs);
    return ({ machine, triggers = [] }) =>
      (own(askedBefore, machine) ?? []).find(
        (one) =>
          one.triggers === JSON.stringify(triggers) &&
          later.includes(one.wave) &&
          waves.get(one.wave)?.includes(machine) !== true,
      )?.wave;
  }

  /**
   * What was asked for on a machine before, and may have left something behind: in this wave, and in waves that have it no longer. A wave that still has it
   * looks for its own. `over`: what has left nothing behind in this wave.
   */
  askedBefore(
    inputs: Properties,
    over: readonly string[],
  ): (machine: string) => readonly (Placed & { readonly isHere: boolean })[] {
    const { run, wave: name, waves, askedBefore } = this.#placeOf(inputs);
    const allOver = this.#over.get(run) ?? new Set();
    this.#over.set(run, allOver);
    for (const id of over) allOver.add(id);
    const { before = [], isRemade } = this.plannedBefore(inputs) ?? {};
    // A run that was killed earlier has asked for nothing in this wave.
    const isUnasked = (machine: string, by: string | undefined): boolean => {
      if (isRemade === false) return by !== undefined;
      const last = before.filter((one) => one.machine === machine);
      return last.length > 0 && last.every(({ id }) => allOver.has(id));
    };
    return (machine) =>
      (own(askedBefore, machine) ?? [])
        .filter((one) => !allOver.has(one.id) && !(one.wave === name && isUnasked(machine, one.run)))
        .map((one) => ({ ...one, isHere: one.wave === name }))
        .filter(
          ({ wave, triggers, isHere }) =>
            isHere || triggers !== undefined || waves.get(wave)?.includes(machine) !== true,
        );
  }

  /** Whether a former run asked for the machine in a later wave, whose record the engine shows only after this wave. */
  isFollowed(inputs: Properties): (machine: string) => boolean {
    const { later, askedBefore } = this.#placeOf(inputs);
    return (machine) => (own(askedBefore, machine) ?? []).some(({ wave }) => later.includes(wave));
  }

  /** `later`: the waves after this one. */
  #placeOf(
    inputs: Properties,
  ): Places & Readonly<Record<"run" | "wave", string>> & { readonly later: readonly string[] } {
    const run = this.#rowsBefore(inputs).at(-1) ?? "";
    const wave = nameInUrn(rowOf(inputs)).slice(nameInUrn(run).length - "run".length + "wave-".length);
    const { waves, askedBefore }: Places = this.placed.get(run) ?? { waves: new Map(), askedBefore: {} };
    const names = [...waves.keys()];
    return { run, wave, later: names.slice(names.indexOf(wave) + 1), waves, askedBefore };
  }

  #rowsBefore(inputs: Properties): readonly string[] {
    const rows: string[] = [];
    for (let row = readText(inputs["__after"]); row !== undefined; row = this.#before.get(row)) rows.push(row);
    return rows;
  }
}

/** What `--replace` and taint delete right before they create it again: the new resource continues from its record. */
export class Deleted {
  readonly #outputs = new Map<string, Properties>();

  readonly read: PlanOperations["read"] = (id, outputs) => Promise.resolve({ id, props: outputs });

  readonly delete: PlanOperations["delete"] = (_id, outputs) => {
    const row = rowOf(outputs);
    if (row !== "") this.#outputs.set(row, outputs);
    return Promise.resolve();
  };

  of(inputs: Properties): Properties {
    return this.#outputs.get(rowOf(inputs)) ?? {};
  }
}

/** The engine ends the process right after the last answer, so the log is sent first. An error begins with what was not done. */
export async function logged<T>(engineLog: EngineLog, notDone: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoredFailure) throw error;
    throw plainFailure(new Error(messageText(partsOf(error, notDone, "plan"))));
  } finally {
    await engineLog.flushed();
  }
}

/** One line is left for the number of further restores. */
const mostLines = 9;

/** Why a wave fails, by the names of its restores: the messages of the first restores, and the help of the first. */
export function waveNotCompleteText(reasons: Readonly<Record<string, readonly string[]>>, total: number): string {
  const failed = Object.entries(reasons);
  const names = failed.map(([name]) => name);
  const blocks = failed.map(([name, all]) => all.flatMap((reason) => linesOf(name, reason)));
  let shown = blocks.length;
  while (shown > 1 && blocks.slice(0, shown).flat().length > mostLines) shown -= 1;
  const more = blocks.length - shown;
  return messageText({
    what: `${String(failed.length)} of ${String(total)} restores of the wave ${failed.length === 1 ? "is" : "are"} not complete and checked: ${firstFew(names)}`,
    next: "The next `pulumi up` continues with them; `npx pulumi-recovery report` shows all of the run",
    lines: [...blocks.slice(0, shown).flat(), ...(more > 0 ? [`and ${String(more)} more`] : [])],
    help: withoutHelp(failed[0]?.[1][0] ?? "").help ?? "plan",
  });
}

/** A restore's own message, which mostly begins with its name, without its help. */
function linesOf(name: string, reason: string): readonly string[] {
  const [sentences = "", ...rows] = withoutHelp(reason).lines;
  return [sentences.includes(`"${name}"`) ? sentences : `${name}: ${sentences}`, ...rows];
}

export function verdictText(run: string, { verdict, reasons }: Pick<Verdict, "verdict" | "reasons">): string {
  return messageText({
    what: `run ${run} ${verdict === "incomplete" ? "is incomplete" : verdict}, for the reasons below`,
    next: "`npx pulumi-recovery report` shows all of the run; the next `pulumi up` continues what is open, and judges again; a recovery time is measured once in a run",
    lines: reasons,
    help: "plan",
  });
}
