import type { AllowedMachines } from "../../../provider/inputs/allowed-machines";
import type { RestoreKind } from "../../../provider/inputs/restore-table";
import { intentUrnOf, resourceTypes, type ResourceTypes } from "../../../provider/inputs/resource-names";
import type { Properties } from "../../../provider/plain/plain";
import { VirtualClock } from "../../support/virtual-clock";
import { Engine, Run, type Stored } from "../../restore/life/engine";
import type { Registration } from "../../restore/life/program";
import { type Fate, type Manners, PanelAtWork, plainManners } from "../../restore/support/panel-at-work";
import { Process } from "../../restore/support/process";
import { plainWords } from "../../restore/support/rows";

/** A restore as a program declares it. */
export interface Declared {
  readonly name: string;
  readonly kind: RestoreKind;
  readonly args: Readonly<Record<string, unknown>>;
}

interface RunOfStack {
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

/** A stack of restores of one machine: from the engine's calls to the requests all is real, but the engine, the panel and the clock. */
class ModelStack {
  readonly #engine = new Engine();
  #processes = 0;
  /** `--replace` of the restore alone, or taint: the next `up` makes it anew under the intent that it has, and asks for no `diff`. */
  readonly tainted = new Set<string>();
  /** `replaceOnChanges` has matched the engine's own memory of an error: the same after a `diff`. */
  readonly replacedOverAnError = new Set<string>();
  /** The only machines that may be restored, by place. */
  allowedMachines: readonly AllowedMachines[] = [];
  /** What settings say of the panel's words. */
  words = plainWords;
  /** Restores of a plan: waves tell how they have ended. */
  readonly planned = new Set<string>();

  constructor(
    private readonly panel: PanelAtWork,
    public program: readonly Declared[],
    private readonly types: ResourceTypes = resourceTypes,
  ) {}

  /** Until it is over, or killed. */
  async up({ target, killAfterMs, killAfterPosts }: RunOfStack = {}): Promise<RunEnd> {
    const { time } = this.panel;
    const run = new Run(this.#newProcess());
    const urnsOf = (names: Iterable<string>): Set<string> => new Set([...names].map((name) => this.#urn(name)));
    const options = {
      tainted: urnsOf(this.tainted),
      replaced: urnsOf(this.replacedOverAnError),
      ...(target && { targets: new Set(target.flatMap((name) => [this.#urn(name), this.#intentUrn(name)])) }),
    };
    this.tainted.clear();
    this.replacedOverAnError.clear();
    const work = this.#engine.up(run, this.#registrations(), options);
    if (killAfterMs === undefined && killAfterPosts === undefined) await time.run(work, 24 * 3_600_000);
    else {
      await time.advance(killAfterMs ?? 0);
      const posts = this.panel.posts.length + (killAfterPosts ?? 0);
      for (let waited = 0; this.panel.posts.length < posts; waited += 50) {
        if (waited > 24 * 3_600_000) throw new Error(`not sent ${String(killAfterPosts)} times`);
        await time.advance(50);
      }
      // What was sent arrives.
      await time.advance(1);
      run.killed = true;
      run.process.end();
    }
    return {
      errors: Object.fromEntries(run.errors.map(({ restore, text }) => [this.program[restore]?.name ?? "", text])),
      warnings: run.process.warnings,
      calls: run.changes.map(({ what, urn }) => `${what} ${this.#nameOf(urn)}`),
    };
  }

  /** As many restores at a time as they are. */
  async refresh(): Promise<void> {
    await this.panel.time.run(this.#engine.refresh(new Run(this.#newProcess())), 24 * 3_600_000);
  }

  /** What the state says of a restore. */
  outs(name: string): Properties {
    return this.#engine.stored(this.#urn(name))?.outputs ?? {};
  }

  idsOf(name: string): readonly string[] {
    return (this.outs(name)["transactionIds"] ?? []) as readonly string[];
  }

  /** What the state says of its intent. */
  intentOf(name: string): Properties {
    return this.#engine.stored(this.#intentUrn(name))?.outputs ?? {};
  }

  intentIdOf(name: string): string | undefined {
    return this.#engine.stored(this.#intentUrn(name))?.id;
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
    const [urn, intentUrn] = [this.#urn(name), this.#intentUrn(name)];
    const handed = (this.#engine.stored(urn)?.inputs["intent"] ?? {}) as Properties;
    const { outs, intent } = change(plain(this.outs(name)), plain(this.intentOf(name)), plain(handed));
    const edited = (stored: Stored, outputs: Properties | undefined): Stored =>
      outputs === undefined ? stored : { ...stored, outputs: plain(outputs) };
    this.#engine.state = this.#engine.state.map((stored) =>
      stored.urn === urn ? edited(stored, outs) : stored.urn === intentUrn ? edited(stored, intent) : stored,
    );
  }

  #newProcess(): Process {
    const { allowedMachines, types, words } = this;
    return new Process(`process-${String(this.#processes++)}`, this.panel, { allowedMachines, types, words });
  }

  #kindOf(name: string): RestoreKind {
    const found = this.program.find((one) => one.name === name);
    if (found === undefined) throw new Error(`no restore ${name}`);
    return found.kind;
  }

  #urn(name: string): string {
    return `urn:pulumi:dev::drill::${this.types[this.#kindOf(name)]}::${name}`;
  }

  #intentUrn(name: string): string {
    return intentUrnOf(this.#urn(name), this.#kindOf(name), this.types);
  }

  #nameOf(urn: string): string {
    const name =
      this.program.find((one) => [this.#urn(one.name), this.#intentUrn(one.name)].includes(urn))?.name ?? urn;
    return urn === this.#intentUrn(name) ? `${name}'s intent` : name;
  }

  /** Each intent depends on the restore before it. */
  #registrations(): readonly Registration[] {
    return this.program.flatMap((one, index) => {
      const { name, kind, args } = one;
      const [place, before] = [2 * index, this.program[index - 1]];
      const lastVm = this.program.slice(0, index).findLastIndex((earlier) => earlier.kind === "VmRestore");
      const machineBefore = lastVm === -1 || lastVm === index - 1 ? undefined : lastVm;
      const isPlanned = this.planned.has(name);
      const predecessor = (outputs: (place: number) => Properties): { readonly predecessor?: Properties } =>
        before === undefined ? {} : { predecessor: handed(before, outputs(place - 1), outputs(place - 2)) };
      const behind = before === undefined ? [] : [place - 1, place - 2];
      const deciding = ["virtualMachineId", "recoveryPointId", "recoveryPoint", "paths"].filter(
        (input) => args[input] !== undefined,
      );
      const intent: Registration = {
        urn: this.#intentUrn(name),
        operations: "RestoreIntent",
        restore: index,
        dependsOn: behind,
        inputs: (outputs) => ({
          kind,
          ...Object.fromEntries(deciding.map((input) => [input, args[input]])),
          triggers: args["triggers"] ?? [],
          ...(args["recoveryPoint"] !== undefined && args["adopt"] !== undefined && { takes: args["adopt"] }),
          row: this.#intentUrn(name),
          ...predecessor(outputs),
          ...(before && isPlanned && { inPlan: true }),
          __provider: "text",
        }),
      };
      const restore: Registration = {
        urn: this.#urn(name),
        operations: kind,
        restore: index,
        dependsOn: [place, ...behind, ...(machineBefore === undefined ? [] : [2 * machineBefore + 1])],
        inputs: (outputs) => ({
          ...args,
          ...(isPlanned && { ofPlan: { name, checks: [] } }),
          intent: intentInput(outputs(place)),
          ...predecessor(outputs),
          ...(machineBefore !== undefined && { machineBefore: machineHanded(outputs(2 * machineBefore + 1)) }),
          ...(isPlanned && { ofPlan: { name, checks: [] } }),
          __provider: "text",
        }),
      };
      return [intent, restore];
    });
  }
}

/** What the program hands of an earlier restore to those behind it; nothing of one that no run has made. */
function handed({ args }: Declared, restore: Properties, intent: Properties): Properties {
  const { urn, status, transactionIds } = restore;
  const madeUnder = (restore["intent"] as { readonly id?: string } | undefined)?.id;
  return { urn, intentId: intent["id"], madeUnder, status, transactionIds, timeouts: args["timeouts"] };
}

function machineHanded({ urn, transactionIds }: Properties): Properties {
  return { urn, transactionIds };
}

/** The intent as the program hands it to its restore. */
function intentInput(outputs: Properties): Properties {
  const { id, urn, mark, choice, kind, virtualMachineId, recoveryPointId, recoveryPoint, paths, triggers } = outputs;
  const madeFor = { kind, virtualMachineId, recoveryPointId, recoveryPoint, paths, triggers };
  return { id, urn, mark, madeFor, ...(recoveryPoint !== undefined && { choice }) };
}

/** As it goes through the engine's state. */
function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
