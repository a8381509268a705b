import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import type { Operations, ResourceName } from "../../provider/start";
import type { Process } from "./process";
import type { Properties, Registration } from "./program";
import { assertComplete } from "./readable";

export interface Stored {
  readonly urn: string;
  readonly operations: Registration["operations"];
  readonly restore: number;
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
  readonly initErrors: readonly string[];
  /** Replaced, and waiting to be deleted. */
  readonly delete: boolean;
}

export interface RunOptions {
  readonly targets?: ReadonlySet<string>;
  readonly continueOnError?: boolean;
  /** The URNs of resources marked with `pulumi state taint`, which are replaced without a `diff`. */
  readonly tainted?: ReadonlySet<string>;
  /** The URNs of resources that `replaceOnChanges` replaces because their state contains an error, regardless of what `diff` returns. */
  readonly replaced?: ReadonlySet<string>;
}

export interface RunError {
  readonly urn: string;
  readonly restore: number;
  readonly during: "check" | "diff" | "create" | "update" | "delete" | "read";
  readonly text: string;
}

/** A run under way. When `killed` is set, the engine is gone: nothing more is saved, and nobody receives what the provider still reports. */
export class Run {
  killed = false;
  readonly errors: RunError[] = [];
  /** The resources that are being created: each POST comes from one of them. */
  readonly creating = new Map<string, Registration>();
  readonly updating = new Set<string>();
  /** The resources that were created or updated, in this order. */
  readonly changed: string[] = [];

  constructor(readonly process: Process) {}
}

type Step = { readonly kind: "done"; readonly outputs: Properties } | { readonly kind: "failed" | "skipped" };

/**
 * What Pulumi's engine does with these resources, and how it talks to a dynamic provider (Pulumi 3.255: `pkg/resource/deploy`, and
 * the SDK's `cmd/dynamic-provider`):
 *
 * - A resource is registered when its dependencies are done. After an error, nothing new begins; with `--continue-on-error`, resources that
 *   depend on a failed resource go through `check` and `diff`, and are then skipped.
 * - The engine calls `check`, `diff` with the stored outputs, then create, update, or create and later delete. If `changes` is undefined, the
 *   engine compares the inputs, and ignores `replaces` if they are equal. A resource with an error is updated anyway.
 * - After an error with an id, the resource is stored: a new resource with its error, an updated resource with its previous inputs. Replaced
 *   resources are deleted last, in reverse order, and only if nothing failed; a later run deletes those that are left over.
 * - Resources that `--target` leaves out keep their stored outputs; if they are not stored, they have only their inputs.
 * - A refresh reads the stored resources, calls `diff` to compare them, and clears their errors. It ignores dependencies.
 */
export class Engine {
  state: readonly Stored[] = [];
  onSaved: () => void = () => undefined;
  calls = 0;

  stored(urn: string): Stored | undefined {
    return this.state.find((one) => one.urn === urn && !one.delete);
  }

  async up(run: Run, program: readonly Registration[], options: RunOptions = {}): Promise<void> {
    const steps: Promise<Step>[] = [];
    for (const registration of program) steps.push(this.#whenReady(run, registration, steps, options));
    const done = await Promise.all(steps);
    for (const { text } of run.errors) assertComplete(text);
    if (run.errors.length > 0 && options.continueOnError !== true) return;
    await this.#delete(run, program, neededByFailed(program, done), options);
  }

  /** With `order`, reads the resources one after the other in this order; otherwise, reads them all at once. */
  async refresh(run: Run, order?: (stored: readonly Stored[]) => readonly Stored[]): Promise<void> {
    if (order === undefined) await Promise.all(this.state.map((one) => this.#read(run, one)));
    else for (const one of order(this.state)) await this.#read(run, one);
  }

  async #whenReady(
    run: Run,
    registration: Registration,
    steps: readonly Promise<Step>[],
    options: RunOptions,
  ): Promise<Step> {
    const before: Step[] = [];
    for (const place of registration.dependsOn) before.push((await steps[place]) ?? { kind: "skipped" });
    const isMissing = before.some((step) => step.kind !== "done");
    if (run.errors.length > 0 && options.continueOnError !== true) return { kind: "skipped" };
    const outputsOf = (place: number): Properties => {
      const step = before[registration.dependsOn.indexOf(place)];
      return step?.kind === "done" ? step.outputs : unknowns;
    };
    return this.#carryOut(run, registration, plain(registration.inputs(outputsOf)), options, isMissing);
  }

  async #carryOut(
    run: Run,
    registration: Registration,
    given: Properties,
    { targets, tainted, replaced }: RunOptions,
    isMissing: boolean,
  ): Promise<Step> {
    const { urn } = registration;
    const old = this.stored(urn);
    if (targets?.has(urn) === false) return doneAs(urn, old ?? { outputs: given });
    let inputs = await this.#check(run, registration, old?.inputs ?? {}, given);
    if (inputs === undefined) return { kind: "failed" };
    const asked = old && (tainted?.has(urn) ? "replace" : await this.#diff(run, registration, old, inputs));
    if (old && asked === undefined) return { kind: "failed" };
    const diff = replaced?.has(urn) ? "replace" : asked;
    if (isMissing) {
      if (diff === "replace") await this.#check(run, registration, {}, given);
      return { kind: "skipped" };
    }
    if (old === undefined) return this.#create(run, registration, inputs, undefined);
    if (diff === "replace") {
      inputs = (await this.#check(run, registration, {}, given)) ?? inputs;
      if (registration.isDeletedFirst !== true) return this.#create(run, registration, inputs, old);
      return (await this.#remove(run, old)) ? this.#create(run, registration, inputs, undefined) : { kind: "failed" };
    }
    if (diff === "update" || old.initErrors.length > 0) return this.#update(run, registration, old, inputs);
    this.#save(run, old, { ...old, inputs });
    return doneAs(urn, old);
  }

  async #check(run: Run, { urn, operations, restore }: Registration, olds: Properties, news: Properties) {
    this.calls++;
    const { inputs, failures } = await called(run, operations).check(plain(olds), plain(news));
    if (failures.length === 0) return plain({ ...inputs, __provider: news["__provider"] });
    const text = failures.map(({ property, reason }) => `${property}: ${reason}`).join("\n");
    run.errors.push({ urn, restore, during: "check", text });
    return undefined;
  }

  async #diff(run: Run, { urn, operations, restore }: Registration, old: Stored, news: Properties) {
    this.calls++;
    try {
      const { changes, replaces = [] } = await called(run, operations).diff(old.id, plain(old.outputs), plain(news));
      const isOther = changes ?? !isDeepStrictEqual(plain(old.inputs), plain(news));
      return !isOther ? "same" : replaces.length > 0 ? "replace" : "update";
    } catch (error) {
      run.errors.push({ urn, restore, during: "diff", text: textOf(error) });
      return undefined;
    }
  }

  async #create(run: Run, registration: Registration, inputs: Properties, old: Stored | undefined): Promise<Step> {
    const { urn, operations, restore } = registration;
    run.creating.set(urn, registration);
    run.changed.push(urn);
    const answer = await this.#ask(run, () => called(run, operations).create(plain(inputs)));
    run.creating.delete(urn);
    const make = (result: Result): void => {
      assert.ok(typeof result.id === "string" && result.id !== "", "an id");
      const made = { urn, operations, restore, inputs, ...result, delete: false };
      this.#save(run, old, old && { ...old, delete: true }, made);
    };
    if ("good" in answer) {
      const outputs = plain({ ...answer.good.outs, __provider: inputs["__provider"] });
      const { id } = answer.good;
      make({ id, outputs, initErrors: [] });
      return doneAs(urn, { id, outputs });
    }
    const { failure } = answer;
    if (failure.result) make(failure.result);
    run.errors.push({ urn, restore, during: "create", text: failure.text });
    return { kind: "failed" };
  }

  async #update(run: Run, registration: Registration, old: Stored, inputs: Properties): Promise<Step> {
    const { urn, operations, restore } = registration;
    run.updating.add(urn);
    run.changed.push(urn);
    const answer = await this.#ask(run, () =>
      called(run, operations).update(old.id, plain(old.outputs), plain(inputs)),
    );
    run.updating.delete(urn);
    if ("good" in answer) {
      const outputs = plain({ ...answer.good.outs, __provider: inputs["__provider"] });
      this.#save(run, old, { ...old, inputs, outputs, initErrors: [] });
      return doneAs(urn, { id: old.id, outputs });
    }
    const { failure } = answer;
    if (failure.result) this.#save(run, old, { ...old, ...failure.result, id: old.id });
    run.errors.push({ urn, restore, during: "update", text: failure.text });
    return { kind: "failed" };
  }

  async #delete(
    run: Run,
    program: readonly Registration[],
    needed: ReadonlySet<string>,
    { targets }: RunOptions,
  ): Promise<void> {
    const declared = new Set(program.map(({ urn }) => urn));
    const superfluous = this.state
      .filter((one) => (one.delete || !declared.has(one.urn)) && !needed.has(one.urn))
      .filter(({ urn }) => targets === undefined || targets.has(urn))
      .reverse();
    for (const one of superfluous) if (!(await this.#remove(run, one))) return;
  }

  async #remove(run: Run, one: Stored): Promise<boolean> {
    const { urn, restore, operations } = one;
    const answer = await this.#ask(run, async () => called(run, operations).delete(one.id, plain(one.outputs)));
    if ("good" in answer) this.#save(run, one);
    else run.errors.push({ urn, restore, during: "delete", text: answer.failure.text });
    return "good" in answer;
  }

  async #read(run: Run, one: Stored): Promise<void> {
    const { urn, restore, operations } = one;
    const answer = await this.#ask(run, () => called(run, operations).read(one.id, plain(one.outputs)));
    if ("failure" in answer) return void run.errors.push({ urn, restore, during: "read", text: answer.failure.text });
    const outputs = plain({ ...answer.good.props, __provider: one.outputs["__provider"] });
    const read = { ...one, id: answer.good.id, outputs, initErrors: [] };
    const place = { urn, operations, restore, dependsOn: [], inputs: () => ({}) };
    await this.#diff(run, place, read, one.inputs);
    this.#save(run, one, read);
  }

  /** Nobody receives a response that arrives after the kill. */
  async #ask<Answer>(
    run: Run,
    call: () => Promise<Answer>,
  ): Promise<{ readonly good: Answer } | { readonly failure: Failure }> {
    this.calls++;
    let answer;
    try {
      answer = { good: await call() };
    } catch (error) {
      answer = { failure: failureOf(error) };
    }
    return run.killed ? new Promise(() => undefined) : answer;
  }

  #save(run: Run, old: Stored | undefined, ...instead: (Stored | undefined)[]): void {
    assert.ok(!run.killed, "a killed engine saves nothing");
    const kept = this.state.filter((one) => one !== old);
    const at = old === undefined ? kept.length : this.state.indexOf(old);
    const next = instead.filter((one) => one !== undefined);
    this.state = [...kept.slice(0, at), ...next, ...kept.slice(at)];
    this.onSaved();
  }
}

function called({ process }: Run, operations: ResourceName): Operations {
  return process.operations[operations] ?? assert.fail(`no operations of ${operations}`);
}

/** What other resources receive from a resource that is up to date. */
function doneAs(urn: string, { id, outputs }: Pick<Stored, "outputs"> & Partial<Pick<Stored, "id">>): Step {
  return { kind: "done", outputs: { ...outputs, id, urn } };
}

/** The dependencies of failed resources, which are not deleted. */
function neededByFailed(program: readonly Registration[], steps: readonly Step[]): ReadonlySet<string> {
  const needed = new Set<string>();
  const need = (place: number): void => {
    for (const before of program[place]?.dependsOn ?? []) {
      needed.add(program[before]?.urn ?? "");
      need(before);
    }
  };
  for (const [place, { kind }] of steps.entries()) if (kind === "failed") need(place);
  return needed;
}

const unknownString = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The properties of a resource that failed or was skipped in the run. */
const unknowns: Properties = new Proxy({}, { get: () => unknownString });

/** What an operation leaves in the state. */
type Result = Pick<Stored, "id" | "outputs" | "initErrors">;

interface Failure {
  readonly text: string;
  readonly result?: Result;
}

function failureOf(error: unknown): Failure {
  const { id, properties, reasons } = error as { id?: unknown; properties?: Properties; reasons?: unknown };
  if (id === undefined) return { text: textOf(error) };
  assert.ok(typeof id === "string" && id !== "", "an init error needs an id");
  assert.ok(Array.isArray(reasons) && reasons.every((reason) => typeof reason === "string"), "reasons are texts");
  assert.equal(typeof properties?.["__provider"], "string", "without __provider it could never be deleted");
  return { text: reasons.join("\n"), result: { id, outputs: plain(properties ?? {}), initErrors: reasons } };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A copy of the data as the engine's protocol carries it: plain, without undefined values. */
export function plain<Data>(data: { readonly [Name in keyof Data]: Data[Name] | undefined }): Data {
  return JSON.parse(JSON.stringify(data)) as Data;
}
