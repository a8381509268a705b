import { planOperations, type PlanProcess } from "../../../../drills/engine";
import type { Core } from "../../../../drills/engine/one-restore";
import { chainWave, type LastEntries } from "../../../../drills/inputs/wave-texts";
import type { Form, PlanRestore, PlanText, WaveOptions } from "../../../../drills/judge/stored";
import { earlierMachines } from "../../../../drills/program/plan-texts";
import { resourceTypes } from "../../../../provider/inputs/resource-names";
import type { Properties } from "../../../../provider/plain/plain";
import type { Session } from "../../../../provider/restore/session";

interface Resource {
  readonly urn: string;
  readonly type: string;
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
}

type Kind = "PlanRun" | "WaveIntent" | "Wave" | "Verdict";

export interface Up {
  readonly session: Session;
  readonly core: Core;
  readonly died: Promise<void>;
  /** Resources that are left out, by the end of their names. @default none */
  readonly exclude?: readonly string[];
  /** Made anew, by the end of their names. */
  readonly replace?: readonly string[];
  readonly station?: (kind: Kind) => Promise<void>;
}

type Waves = Readonly<Record<string, Readonly<Record<string, Partial<PlanRestore>>>>>;

/** A plan of these waves; a restore that names no machine is of machine 1. */
export function planOf(waves: Waves, more: Partial<PlanText> = {}): PlanText {
  const restoresOf = (restores: Waves[string]) =>
    Object.fromEntries(Object.entries(restores).map(([name, one]) => [name, { machine: "1", checks: [], ...one }]));
  return {
    run: "Q1",
    kind: "drill",
    onFailure: "stop",
    onMissedGoal: "fail",
    waves: Object.entries(waves).map(([name, restores]) => ({ name, restores: restoresOf(restores) })),
    ...more,
  };
}

let processes = 0;

/** The engine, as far as a plan's resources need it: one after the other, stops at the first error, and stores what an error carries. */
export class MiniEngine {
  readonly resources = new Map<string, Resource>();
  pending: { resource: { urn: string; type: string }; type: string }[] = [];
  readonly log: string[] = [];
  /** What rows have shown. */
  readonly rows: string[] = [];

  /** The exported deployment, as a report reads it. */
  get deployment(): unknown {
    return {
      resources: [...this.resources.values()].map((one) => ({ ...one, created: "2026-11-21T09:00:00Z" })),
      pending_operations: this.pending,
    };
  }

  of(kind: Kind, name: string): Resource | undefined {
    return this.resources.get(urnOf(kind, name));
  }

  /** Resolves to the errors; undefined if the process was killed. */
  async up(plan: PlanText, up: Up): Promise<readonly string[] | undefined> {
    const planProcess: PlanProcess = {
      id: `process${String(++processes)}`,
      engineLog: {
        progress: (_urn, text) => this.rows.push(text),
        warn: (_urn, text) => this.log.push(text),
        flushed: () => Promise.resolve(),
      },
      session: () => up.session,
      listAccess: () => {
        throw new Error("no lists of points here");
      },
      whyNotAllowed: () => undefined,
    };
    const operations = planOperations(planProcess, up.core);
    const done = this.#register(plan, operations, up).then(
      (errors) => errors,
      (error: unknown) => [error instanceof Error ? error.message : String(error)],
    );
    const errors = await Promise.race([done, up.died.then(() => undefined)]);
    return errors;
  }

  async #register(plan: PlanText, operations: ReturnType<typeof planOperations>, up: Up): Promise<readonly string[]> {
    const step = async (kind: Kind, name: string, inputs: Properties): Promise<readonly string[]> =>
      this.#step(operations, kind, name, { ...inputs, row: urnOf(kind, name), __provider: "p" }, up);
    const secrets = JSON.stringify({});
    const errors = [...(await step("PlanRun", "run", { run: plan.run, plan: JSON.stringify(plan), secrets }))];
    if (errors.length > 0) return errors;
    // The engine creates nothing behind what it leaves out.
    const ofRun = this.of("PlanRun", "run");
    if (ofRun === undefined) return [];
    let last: LastEntries = {};
    const waves: {
      readonly name: string;
      readonly run: unknown;
      readonly restores: unknown;
      readonly record: unknown;
    }[] = [];
    for (const wave of plan.waves) {
      const forms = Object.fromEntries(
        Object.entries(wave.restores).map(([name, { machine, point = "", paths, triggers }]): [string, Form] => [
          name,
          { machine, point, ...(paths && { paths }), ...(triggers && { triggers }) },
        ]),
      );
      const chained = chainWave(forms, "", last);
      ({ last } = chained);
      const behind = JSON.stringify(chained.behind);
      const declared = JSON.stringify(forms);
      const wrong = await step("WaveIntent", `wave-${wave.name}-intent`, {
        run: ofRun.outputs["run"],
        declared,
        behind,
      });
      if (wrong.length > 0) return wrong;
      const intent = this.of("WaveIntent", `wave-${wave.name}-intent`);
      if (intent === undefined) return [`wave ${wave.name} was left out`];
      const options = Object.fromEntries(
        Object.entries(wave.restores).map(([name, { checks, retryFailed, adopt }]): [string, WaveOptions[string]] => [
          name,
          {
            checks: checks.map((check) => ({
              name: check.name,
              asks: check.asks,
              everySeconds: 1,
              withinSeconds: 0,
              afterSeconds: 0,
              probe: { name: `${name} ${check.name}` },
            })),
            ...(retryFailed !== undefined && { retryFailed }),
            ...(adopt !== undefined && { adopt }),
          },
        ]),
      );
      const failed = await step("Wave", `wave-${wave.name}`, {
        run: intent.outputs["run"],
        restores: intent.outputs["restores"],
        earlier: JSON.stringify(earlierMachines(forms, waves)),
        options: JSON.stringify(options),
        onFailure: plan.onFailure,
      });
      if (failed.length > 0) return failed;
      const stored = this.of("Wave", `wave-${wave.name}`);
      waves.push({
        name: wave.name,
        run: intent.outputs["run"],
        restores: intent.outputs["restores"],
        record: stored?.outputs["record"],
      });
    }
    const { run, startedAt, up: by, changes } = ofRun.outputs;
    return step("Verdict", "verdict", {
      run: plan.run,
      plan: JSON.stringify(plan),
      ofRun: { run, startedAt, up: by, changes },
      waves: plan.waves.map(({ name }) => {
        const intent = this.of("WaveIntent", `wave-${name}-intent`)?.outputs;
        const wave = this.of("Wave", `wave-${name}`)?.outputs;
        return {
          name,
          intentRun: intent?.["run"],
          restores: intent?.["restores"],
          run: wave?.["run"],
          record: wave?.["record"],
        };
      }),
      between: "{}",
    });
  }

  async #step(
    operations: ReturnType<typeof planOperations>,
    kind: Kind,
    name: string,
    given: Properties,
    up: Up,
  ): Promise<readonly string[]> {
    const urn = urnOf(kind, name);
    if (up.exclude?.includes(name)) return [];
    const own = operations[kind];
    const old = this.resources.get(urn);
    const inputs = JSON.parse(JSON.stringify(given)) as Properties;
    const { failures } = own.check(old?.inputs ?? {}, inputs);
    if (failures.length > 0) return failures.map(({ reason }) => reason);
    const type = resourceTypes[kind];
    const store = (id: string, stored: Properties, outputs: Properties): void => {
      this.resources.set(urn, {
        urn,
        type,
        id,
        inputs: stored,
        outputs: JSON.parse(JSON.stringify(outputs)) as Properties,
      });
    };
    if (old !== undefined) {
      const { changes } = await own.diff(old.id, old.outputs, inputs);
      const isReplaced = up.replace?.includes(name) === true;
      if (!changes && !isReplaced) {
        store(old.id, inputs, old.outputs);
        return [];
      }
      if (isReplaced) {
        await own.delete(old.id, old.outputs);
        this.resources.delete(urn);
      }
    }
    const current = this.resources.get(urn);
    this.pending.push({ resource: { urn, type }, type: current ? "updating" : "creating" });
    const finish = (): void => {
      this.pending = this.pending.filter(
        (one) => one.resource.urn !== urn || (one.type === "creating" && current !== undefined),
      );
    };
    try {
      const made = current
        ? { id: current.id, ...(await own.update(current.id, current.outputs, inputs)) }
        : await own.create(inputs);
      await up.station?.(kind);
      store(made.id, inputs, made.outs);
      finish();
      return [];
    } catch (error) {
      const { id, properties, reasons } = error as {
        id?: string;
        properties?: Properties;
        reasons?: readonly string[];
      };
      // A failed update stores the new outputs and keeps the old inputs.
      if (id !== undefined && properties !== undefined) {
        await up.station?.(kind);
        store(current?.id ?? id, current?.inputs ?? inputs, properties);
      }
      finish();
      return reasons ?? [(error as Error).message];
    }
  }
}

function urnOf(kind: Kind, name: string): string {
  return `urn:pulumi:test::shop::recovery:index:RecoveryPlan$${resourceTypes[kind]}::shop-${name}`;
}
