import { containsUnknown } from "../../provider/inputs/read-values";
import { MessageError, messageText, withoutHelp } from "../../provider/plain/message";
import { nameInUrn } from "../../provider/inputs/resource-names";
import { entriesOf, isObject, omitUndefined, own, type Properties } from "../../provider/plain/plain";
import { readText } from "../../provider/plain/stored-fields";
import { firstFew } from "../../provider/plain/text";
import type { PointAccess } from "../../provider/points/choose-point";
import type { Session } from "../../provider/restore/session";
import type { EngineLog } from "../../provider/engine/engine-log";
import type { Operations } from "../../provider/engine/sanitize";
import type { Verdict } from "../judge/judge";
import type { Entry, PlanText, StoredRun } from "../judge/stored";
import { allAskedIn, type PlannedWave } from "./entries";

export interface PlanProcess {
  /** Identifies this process, and with it everything that was made in this `up`. */
  readonly id: string;
  readonly engineLog: EngineLog;
  session(): Session;
  listAccess(): PointAccess;
  whyNotAllowed(machine: string): string | undefined;
  namePanel(): void;
}

/** The resource's own URN, which is an input because the engine does not pass it to a dynamic provider. */
export function rowOf(properties: Properties): string {
  return readText(properties["__row"]) ?? "";
}

/** The inputs that a resource's outputs must repeat. Without `__provider`, the resource could never be deleted. */
export function ownOf(inputs: Properties): Properties {
  const { __provider, __row: row } = inputs;
  return omitUndefined<Properties>({ __provider, __row: row });
}

export const nothingSent = (of: "plan" | "wave"): string => `this \`pulumi up\` sent none of the ${of}'s restores`;

export function isKnown(...values: readonly unknown[]): boolean {
  return !values.some(containsUnknown);
}

/** A plan's waves, in order, with their machines, and the plan's earlier requests. */
export type Places = { readonly waves: ReadonlyMap<string, readonly string[]> } & Pick<StoredRun, "askedBefore">;

interface PlannedIntent extends PlannedWave {
  /** True if a new intent replaces another, false if it does not; undefined for an intent that is updated. */
  readonly isRemade?: boolean;
  readonly incidentAt?: string | undefined;
  /** An earlier run's requests that the intent still contains. */
  readonly before?: PlannedWave | undefined;
}

/**
 * The parts of all plans that the engine has checked in this process, each with the previous part. The engine checks a part only after it has finished
 * with all earlier parts, and never checks a part that `--target` or `--exclude` leaves out. One process serves a whole operation.
 */
export class SeenParts {
  readonly #before = new Map<string, string | undefined>();
  /** Keyed by the run's URN. */
  readonly placed = new Map<string, Places>();
  /** Each intent's requests, which its outputs do not show in a preview. */
  readonly planned = new Map<string, PlannedIntent>();
  /** The stored parts. If the engine checks such a part without its old inputs, the part is being replaced. */
  readonly stored = new Set<string>();
  /** Each wave's incomplete restores, by machine. Until the wave has been carried out, only the restores that are certain to stay incomplete. */
  readonly open = new Map<string, ReadonlyMap<string, string>>();
  /** The restores of whole machines that each wave will send, by machine. */
  readonly sends = new Map<string, ReadonlyMap<string, string>>();
  readonly quietSince = new Map<string, number>();
  /** The ids of earlier requests that need no search, according to the stored waves. Keyed by run URN, because two plans may have the same requests. */
  readonly #over = new Map<string, Set<string>>();

  check(olds: unknown, news: unknown): { readonly inputs: Properties; readonly isNew: boolean } {
    const inputs = isObject(news) ? news : {};
    const isNew = entriesOf(olds).length === 0;
    this.#before.set(rowOf(inputs), readText(inputs["__after"]));
    if (!isNew) this.stored.add(rowOf(inputs));
    return { inputs, isNew };
  }

  /** Whether the engine has checked the part. For a refresh, or if a previous part is replaced, the engine only calls `diff`. */
  isAsked(inputs: Properties): boolean {
    return this.#before.has(rowOf(inputs));
  }

  /** Throws if a previous part was left out, because this part would then follow a different plan, or run out of order. */
  requireAllBefore(inputs: Properties): void {
    if (!this.isAsked(inputs) || this.#rowsBefore(inputs).every((row) => this.#before.has(row))) return;
    throw new MessageError({
      what: "`--target` or `--exclude` left out an earlier part of the plan",
      next: "Run `pulumi up` for the whole plan",
      help: "plan",
    });
  }

  plannedBefore(inputs: Properties) {
    return this.planned.get(readText(inputs["__after"]) ?? "");
  }

  /** What is noted about the waves before this one, by machine. */
  before(what: "open" | "sends", inputs: Properties): Map<string, string> {
    return new Map(this.#rowsBefore(inputs).flatMap((row) => [...(this[what].get(row) ?? [])]));
  }

  /** Finds a later wave that may have carried out a restore before it was moved here, but shows this too late. New triggers declare that it did not. */
  laterWave(inputs: Properties): (entry: Pick<Entry, "machine" | "triggers">) => string | undefined {
    const { later, asked } = this.#placeOf(inputs);
    return ({ machine, triggers = [] }) =>
      asked(machine).find(({ wave, triggers: of }) => of === JSON.stringify(triggers) && later.includes(wave))?.wave;
  }

  /**
   * Whether an `up` may have sent an earlier request for the machine without recording it, in this wave or in a wave that no longer contains the machine.
   * A wave that still contains the machine searches for its own requests. `over`: this wave's requests that need no search. `sentTo`: the machines that
   * this wave has attempted, each after a search that covered the other waves' requests.
   */
  mayBeLost(
    inputs: Properties,
    over: readonly string[],
    sentTo: ReadonlySet<string | undefined>,
  ): (entry: Entry) => boolean {
    const { run, wave: name, restores, asked } = this.#placeOf(inputs);
    const allOver = this.#over.get(run) ?? new Set();
    this.#over.set(run, allOver);
    for (const id of over) allOver.add(id);
    const { before, isRemade } = this.plannedBefore(inputs) ?? {};
    // If a run was killed before it reached this wave, it has requested nothing here.
    const isUnasked = (machine: string, by: string | undefined): boolean => {
      if (isRemade === false) return by !== undefined;
      const last = before === undefined ? [] : allAskedIn(before).filter((one) => one.machine === machine);
      return last.length > 0 && last.every(({ id }) => allOver.has(id));
    };
    return ({ machine, triggers: wanted = [] }) =>
      asked(machine).some(({ id, wave, triggers, run: by }) => {
        // New triggers declare that a request removed from the plan during the run was not sent.
        if (allOver.has(id) || (triggers !== undefined && triggers !== JSON.stringify(wanted))) return false;
        if (wave === name) return !isUnasked(machine, by);
        return !sentTo.has(machine) && (triggers !== undefined || !restores(wave, machine));
      });
  }

  /** Whether a later wave may have restored the machine already. The engine passes that wave's record only after this wave has run. */
  isFollowed(inputs: Properties): (machine: string, isRepeated: boolean) => boolean {
    const { later, restores, asked } = this.#placeOf(inputs);
    return (machine, isRepeated) =>
      asked(machine).some(({ wave }) => later.includes(wave)) ||
      (isRepeated && later.some((wave) => restores(wave, machine)));
  }

  /** `later`: the waves after this one. */
  #placeOf(inputs: Properties) {
    const run = this.#rowsBefore(inputs).at(-1) ?? "";
    const wave = nameInUrn(rowOf(inputs)).slice(nameInUrn(run).length - "run".length + "wave-".length);
    const { waves, askedBefore }: Places = this.placed.get(run) ?? { waves: new Map(), askedBefore: {} };
    const names = [...waves.keys()];
    return {
      run,
      wave,
      later: names.slice(names.indexOf(wave) + 1),
      restores: (wave: string, machine: string) => waves.get(wave)?.includes(machine) === true,
      asked: (machine: string) => own(askedBefore, machine) ?? [],
    };
  }

  #rowsBefore(inputs: Properties): readonly string[] {
    const rows: string[] = [];
    for (let row = readText(inputs["__after"]); row !== undefined; row = this.#before.get(row)) rows.push(row);
    return rows;
  }
}

/** The resources that `--replace` and taint delete just before creating them again. The new resource continues from the record of the deleted one. */
export class Deleted {
  readonly #outputs = new Map<string, Properties>();

  readonly read: Operations["read"] = (id, outputs) => Promise.resolve({ id, props: outputs });

  readonly delete: Operations["delete"] = (_id, outputs) => {
    const row = rowOf(outputs);
    if (row !== "") this.#outputs.set(row, outputs);
  };

  of(inputs: Properties): Properties {
    return this.#outputs.get(rowOf(inputs)) ?? {};
  }
}

/** Why a wave fails: the restores' own messages, as many lines as fit, and the help for the first. */
export function waveNotCompleteText(reasons: Readonly<Record<string, readonly string[]>>, total: number): string {
  const failed = Object.entries(reasons);
  return messageText({
    what: `${String(failed.length)} of ${String(total)} restores of the wave ${failed.length === 1 ? "is" : "are"} not complete and checked: ${firstFew(Object.keys(reasons))}`,
    next: "The next `pulumi up` continues with each restore that needs no decision from you; `npx pulumi-recovery report` shows the whole run",
    lines: failed.flatMap(([name, all]) => all.flatMap((reason) => linesOf(name, reason))),
    help: withoutHelp(failed[0]?.[1][0] ?? "").help ?? "plan",
  });
}

/** A restore's own message, without its help. Most messages already contain the restore's name. */
function linesOf(name: string, reason: string): readonly string[] {
  const [sentences = "", ...rows] = withoutHelp(reason).lines;
  return [sentences.includes(`"${name}"`) ? sentences : `${name}: ${sentences}`, ...rows];
}

export function verdictText({ run, onMissedGoal }: PlanText, { verdict, reasons, goals }: Verdict): string {
  const isMissed = onMissedGoal === "fail" && goals.some(({ result }) => result === "missed");
  const next = [
    "`npx pulumi-recovery report` shows the whole run",
    "the next `pulumi up` continues what is unfinished and needs no decision from you, and judges the run again",
    ...(isMissed ? ['after a missed goal, begin a new run, or set onMissedGoal: "warn"'] : []),
  ];
  return messageText({
    what: `run ${run} ${verdict === "incomplete" ? "is incomplete" : verdict}, for the reasons below`,
    next: next.join("; "),
    lines: reasons,
    help: "plan",
  });
}
