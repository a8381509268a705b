import type { Operations } from "../../../provider/engine/sanitize";
import type { AllowedMachines } from "../../../provider/inputs/allowed-machines";
import type { RestoreKind } from "../../../provider/inputs/restore-table";
import { intentUrnOf, resourceTypes, type ResourceTypes } from "../../../provider/inputs/resource-names";
import { type Properties, deepEqual } from "../../../provider/plain/plain";
import { VirtualClock } from "../../support/virtual-clock";
import { type Fate, type Manners, PanelAtWork, plainManners } from "../../restore/support/panel-at-work";
import { Process } from "../../restore/support/process";

/** A restore as a program declares it. */
export interface Declared {
  readonly name: string;
  readonly kind: RestoreKind;
  readonly args: Readonly<Record<string, unknown>>;
}

interface StoredResource {
  readonly id: string;
  readonly outs: Properties;
}

interface Run {
  /** The restores that `--target` names, with their intents. Without it all of them. */
  readonly target?: readonly string[];
  /** After so long the engine is killed, and what its process still does is stored by nobody. */
  readonly killAfterMs?: number;
  /** It is killed right after this run has sent so many restores. */
  readonly killAfterPosts?: number;
}

export interface RunEnd {
  /** What the run said of each restore that it could not bring up. */
  readonly errors: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
  /** What it called of each restore, in order. */
  readonly calls: readonly string[];
}

/** A stack on a panel whose rows tell neither the point nor the kind of a restore. */
export function stackOn(
  program: readonly Declared[],
  {
    fates = [],
    types = resourceTypes,
    ...manners
  }: Partial<Manners> & { readonly fates?: readonly Fate[]; readonly types?: ResourceTypes } = {},
) {
  const clock = VirtualClock.ofLives();
  const panel = new PanelAtWork(clock, { ...plainManners, restoresAlike: true, ...manners });
  if (panel.manners.older) panel.order({ machine: "43", kind: "backup" }, "panel");
  panel.fates = [...fates];
  const stack = new ModelStack(panel, program, types);
  const idsOf = (post: number): readonly string[] => panel.idsOf(post);
  return { clock, panel, stack, idsOf };
}

/**
 * A stack of restores of one machine, brought up as the engine does it: the same calls with the same inputs in the same order, one process a
 * run, and a state of plain data that is all that outlives it. Panel and clock are models; from the engine's calls to the requests all is real.
 */
class ModelStack {
  readonly #state = new Map<string, StoredResource>();
  /** With which inputs each was made or updated. */
  readonly #inputs = new Map<string, Properties>();
  #processes = 0;

  constructor(
    private readonly panel: PanelAtWork,
    public program: readonly Declared[],
    private readonly types: ResourceTypes = resourceTypes,
  ) {}

  /** Until it is over, or killed. */
  async up(run: Run = {}): Promise<RunEnd> {
    const { time } = this.panel;
    const process = this.#newProcess();
    const end: { errors: Record<string, string>; warnings: string[]; calls: string[] } = {
      errors: {},
      warnings: process.warnings,
      calls: [],
    };
    const work = this.#bringUp(process, run, end);
    const { killAfterMs, killAfterPosts } = run;
    if (killAfterMs === undefined && killAfterPosts === undefined) {
      await time.run(work, 24 * 3_600_000);
      return end;
    }
    await time.advance(killAfterMs ?? 0);
    const posts = this.panel.posts.length + (killAfterPosts ?? 0);
    for (let waited = 0; this.panel.posts.length < posts; waited += 50) {
      if (waited > 24 * 3_600_000) throw new Error(`not sent ${String(killAfterPosts)} times`);
      await time.advance(50);
    }
    // What was sent arrives.
    await time.advance(1);
    process.end();
    return end;
  }

  /** As many restores at a time as they are. */
  async refresh(): Promise<void> {
    const process = this.#newProcess();
    const reads = this.program.map(async ({ name, kind }) => {
      const stored = this.#state.get(this.#urn(name, kind));
      if (stored === undefined) return;
      const { id, props } = await process.operations[kind].read(stored.id, plain(stored.outs));
      this.#store(this.#urn(name, kind), id, props);
    });
    await this.panel.time.run(Promise.all(reads), 24 * 3_600_000);
  }

  /** What the state says of a restore. */
  outs(name: string): Properties {
    return this.#stored(name)?.outs ?? {};
  }

  idsOf(name: string): readonly string[] {
    return (this.outs(name)["transactionIds"] ?? []) as readonly string[];
  }

  /** What the state says of its intent. */
  intentOf(name: string): Properties {
    return this.#storedIntent(name)?.outs ?? {};
  }

  intentIdOf(name: string): string | undefined {
    return this.#storedIntent(name)?.id;
  }

  #storedIntent(name: string): StoredResource | undefined {
    return this.#state.get(this.#intentUrn(name, this.#declared(name).kind));
  }

  /** Other inputs than before, in the same program. */
  change(name: string, args: Readonly<Record<string, unknown>>): void {
    this.program = this.program.map((one) => (one.name === name ? { ...one, args: { ...one.args, ...args } } : one));
  }

  /** As a state of another release, or one that somebody has edited. */
  edit(
    name: string,
    change: (outs: Properties, intent: Properties, handed: Properties) => { outs?: Properties; intent?: Properties },
  ): void {
    const { kind } = this.#declared(name);
    const [urn, intentUrn] = [this.#urn(name, kind), this.#intentUrn(name, kind)];
    const [restore, intent] = [this.#state.get(urn), this.#state.get(intentUrn)];
    const handed = (this.#inputs.get(urn)?.["intent"] ?? {}) as Properties;
    const changed = change(plain(restore?.outs ?? {}), plain(intent?.outs ?? {}), plain(handed));
    if (changed.intent && intent) this.#store(intentUrn, intent.id, changed.intent);
    if (changed.outs && restore) this.#store(urn, restore.id, changed.outs);
  }

  /** `--replace` of the restore alone, or taint: the next `up` makes it anew under the intent that it has, and asks for no `diff`. */
  readonly tainted = new Set<string>();
  /** `replaceOnChanges` has matched the engine's own memory of an error: the same after a `diff`. */
  readonly replacedOverAnError = new Set<string>();
  /** Options of restores: one that is replaced is deleted first, or is not deleted but forgotten. */
  readonly deletedBeforeReplace = new Set<string>();
  readonly retainedOnDelete = new Set<string>();
  /** The only machines that may be restored, by place. */
  allowedMachines: readonly AllowedMachines[] = [];
  /** Restores of a plan: waves tell how they have ended. */
  readonly planned = new Set<string>();

  #declared(name: string): Declared {
    const found = this.program.find((one) => one.name === name);
    if (found === undefined) throw new Error(`no restore ${name}`);
    return found;
  }

  #stored(name: string): StoredResource | undefined {
    return this.#state.get(this.#urn(name, this.#declared(name).kind));
  }

  #newProcess(): Process {
    const { allowedMachines, types } = this;
    return new Process(`process-${String(this.#processes++)}`, this.panel, { allowedMachines, types });
  }

  #urn(name: string, kind: RestoreKind): string {
    return `urn:pulumi:dev::drill::${this.types[kind]}::${name}`;
  }

  #intentUrn(name: string, kind: RestoreKind): string {
    return intentUrnOf(this.#urn(name, kind), kind, this.types);
  }

  #store(urn: string, id: string, outs: Properties): void {
    this.#state.set(urn, { id, outs: plain(outs) });
  }

  /** One after the other: each intent depends on the restore before it. Where one fails, nothing behind it is begun. */
  async #bringUp(
    process: Process,
    { target }: Run,
    end: { errors: Record<string, string>; calls: string[] },
  ): Promise<void> {
    const expected = this.program.filter(({ name }) => this.planned.has(name));
    process.operations.PlanRun.check(undefined, {
      expected: Object.fromEntries(
        expected.map(({ name, kind }) => [name, { urn: this.#urn(name, kind), checks: [] }]),
      ),
    });
    const before: Declared[] = [];
    for (const one of this.program) {
      const isLeftOut = target !== undefined && !target.includes(one.name);
      if (!isLeftOut) {
        try {
          await this.#bringUpOne(process, one, before, end.calls);
        } catch (error) {
          if (!process.ended) end.errors[one.name] = (error as Error).message;
          return;
        }
        if (process.ended) return;
      }
      before.unshift(one);
    }
  }

  async #bringUpOne(process: Process, one: Declared, before: readonly Declared[], calls: string[]): Promise<void> {
    const { name, kind, args } = one;
    const predecessor = this.#handed(before[0]);
    const machine = before.find((earlier) => earlier.kind === "VmRestore");
    const machineBefore = machine === before[0] ? undefined : this.#handed(machine);
    const { RestoreIntent: intents, [kind]: restores } = process.operations;
    const deciding = ["virtualMachineId", "recoveryPointId", "recoveryPoint", "paths"].filter(
      (input) => args[input] !== undefined,
    );
    const intentArgs = {
      kind,
      ...Object.fromEntries(deciding.map((input) => [input, args[input]])),
      triggers: args["triggers"] ?? [],
      ...(args["recoveryPoint"] !== undefined && args["adopt"] !== undefined && { takes: args["adopt"] }),
      row: this.#intentUrn(name, kind),
      ...(predecessor && {
        predecessor,
        ...(this.planned.has(name) && { inPlan: true }),
      }),
    };
    const intentUrn = this.#intentUrn(name, kind);
    await this.#apply(process, intents, intentUrn, `${name}'s intent`, intentArgs, calls);
    const inputs = {
      ...args,
      intent: intentInput(intentUrn, this.#state.get(intentUrn)),
      ...(predecessor && { predecessor }),
      ...(machineBefore && {
        machineBefore: { urn: machineBefore["urn"], transactionIds: machineBefore["transactionIds"] },
      }),
    };
    await this.#apply(process, restores, this.#urn(name, kind), name, inputs, calls);
  }

  /** What the engine does with one resource. */
  async #apply(
    process: Process,
    operations: Operations,
    urn: string,
    name: string,
    args: Properties,
    calls: string[],
  ): Promise<void> {
    const stored = this.#state.get(urn);
    const { inputs, failures } = operations.check(stored?.outs, plain({ ...args, __provider: "text" }));
    if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("\n"));
    if (stored === undefined) {
      await this.#create(process, operations, urn, name, inputs, calls);
      return;
    }
    const isTainted = this.tainted.delete(name);
    const { changes, replaces = [] } = isTainted ? {} : operations.diff(stored.id, plain(stored.outs), plain(inputs));
    if (replaces.length > 0 || isTainted || this.replacedOverAnError.delete(name)) {
      const isDeletedFirst = this.deletedBeforeReplace.has(name);
      if (isDeletedFirst) {
        await operations.delete(stored.id, plain(stored.outs));
        this.#state.delete(urn);
      }
      await this.#create(process, operations, urn, name, inputs, calls);
      if (!isDeletedFirst && !this.retainedOnDelete.has(name)) await operations.delete(stored.id, plain(stored.outs));
      return;
    }
    const isGone = Object.keys(this.#inputs.get(urn) ?? {}).some((key) => !(key in inputs));
    const isChanged =
      changes ?? (isGone || Object.entries(inputs).some(([key, value]) => !deepEqual(value, stored.outs[key])));
    if (!isChanged) return;
    calls.push(`update ${name}`);
    await this.#keep(process, urn, async () => {
      const { outs } = await operations.update(stored.id, plain(stored.outs), plain(inputs));
      this.#inputs.set(urn, inputs);
      return { id: stored.id, outs };
    });
  }

  #create(
    process: Process,
    operations: Operations,
    urn: string,
    name: string,
    inputs: Properties,
    calls: string[],
  ): Promise<void> {
    calls.push(`create ${name}`);
    this.#inputs.set(urn, inputs);
    return this.#keep(process, urn, () => operations.create(plain(inputs)));
  }

  /** What a call has stored, also with its error; nothing once the engine is gone. */
  async #keep(process: Process, urn: string, call: () => Promise<StoredResource>): Promise<void> {
    try {
      const { id, outs } = await call();
      if (!process.ended) this.#store(urn, id, outs);
    } catch (error) {
      const { id, properties } = error as { id?: string; properties?: Properties };
      if (!process.ended && id !== undefined && properties) this.#store(urn, id, properties);
      throw error;
    }
  }

  /** What the program hands of an earlier restore to those behind it. */
  #handed(earlier: Declared | undefined): Properties | undefined {
    if (earlier === undefined) return undefined;
    const { name, kind, args } = earlier;
    const { status, transactionIds, intent } = this.#state.get(this.#urn(name, kind))?.outs ?? {};
    return {
      urn: this.#urn(name, kind),
      intentId: this.#state.get(this.#intentUrn(name, kind))?.id,
      madeUnder: (intent as { id?: string } | undefined)?.id,
      status,
      transactionIds,
      timeouts: args["timeouts"],
    };
  }
}

/** The intent as the program hands it to its restore. */
function intentInput(urn: string, stored: StoredResource | undefined): Properties {
  const { mark, choice, kind, virtualMachineId, recoveryPointId, recoveryPoint, paths, triggers } = stored?.outs ?? {};
  const madeFor = { kind, virtualMachineId, recoveryPointId, recoveryPoint, paths, triggers };
  return { id: stored?.id, urn, mark, madeFor, ...(recoveryPoint !== undefined && { choice }) };
}

/** As it goes through the engine's state. */
function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
