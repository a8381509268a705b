import type { RecoveryPlanArgs } from "pulumi-recovery";
import type { StackConfig } from "../../../tools/engine/workspace";
import { killers, type KillerName } from "../killing/killers";
import type { Killable } from "../support/killable";
import { declarePlan } from "../support/plans";
import { fixture } from "../support/program";
import { declare, type Spec } from "../support/restores";
import type { Scene } from "../support/scene";
import { storedResources, type StoredResource } from "../support/stored";
import { yamlProject } from "../support/yaml-project";
import type { Intent, Task } from "./world";

/** How often somebody has requested a restore again. */
type Again = ReadonlyMap<Intent, number>;

/** One stack of a storm, in any language. */
export interface StormStack {
  declare(again: Again): Promise<void>;
  up(continueOnError: boolean): Promise<Running>;
  refresh(): Promise<unknown>;
  /** What must be done first after a kill. */
  unlock(): Promise<void>;
  resources(): Promise<readonly StoredResource[]>;
}

export interface Running {
  readonly ended: Promise<{ readonly error?: string | undefined }>;
  isAtWork(): boolean;
  /** The ways in which this run can be killed at present. */
  ways(): Readonly<Record<string, () => Promise<void>>>;
}

const parallel = 250;
const isMaking = /(Intent|Restore|Run)\s+\S+\s+(creating|updating|replacing)/;

export function open(scene: Scene, task: Task, settings: StackConfig): Promise<StormStack> {
  return task.door === "yaml" ? yaml(scene, task, settings) : program(scene, task, settings);
}

async function program(scene: Scene, task: Task, settings: StackConfig): Promise<StormStack> {
  const none = declaredBy(task, new Map());
  const stack = await scene.stack(fixture("storm"), { connection: "none", config: { ...settings, ...none } });
  return {
    declare: (again) => stack.configure(declaredBy(task, again)),
    refresh: () => stack.refresh({ parallel, clearPendingCreates: true }),
    unlock: () => stack.cancel(),
    resources: () => stack.resources(),
    async up(continueOnError) {
      return running(await stack.start("up", { parallel, continueOnError }, "ignored"));
    },
  };
}

async function yaml(scene: Scene, task: Task, settings: StackConfig): Promise<StormStack> {
  const project = await yamlProject(scene.folder, inYaml(task, new Map()), {});
  const config = Object.entries(settings).flatMap(([key, value]) =>
    typeof value === "string" ? ["--plaintext", `${key}=${value}`] : ["--secret", `${key}=${value.secret}`],
  );
  await project.pulumi("config", "set-all", ...config);
  const place = { project: "yaml", stack: "test", folder: scene.folder, cwd: project.folder, env: {} };
  return {
    declare: (again) => Promise.resolve(project.write("Pulumi.yaml", inYaml(task, again))),
    refresh: () => project.pulumi("refresh", "--yes", "--clear-pending-creates"),
    unlock: () => project.cancel(),
    resources: () => storedResources(place),
    up(continueOnError) {
      const options = ["--parallel", String(parallel), ...(continueOnError ? ["--continue-on-error"] : [])];
      return Promise.resolve(running(project.start("up", "--yes", "--skip-preview", ...options)));
    },
  };
}

function running(run: Killable): Running {
  const has = (kind: string): boolean => run.processes().some((one) => one.kind === kind);
  return {
    ended: run.ended,
    isAtWork: () => isMaking.test(run.stdout) && has("provider"),
    ways: () =>
      has("cli") && has("provider")
        ? Object.fromEntries((Object.keys(killers) as KillerName[]).map((name) => [name, () => killers[name](run)]))
        : {},
  };
}

function argsOf({ target }: Intent, again: number) {
  return {
    virtualMachineId: target.machineId,
    recoveryPointId: target.recoveryPointId,
    ...(target.kind === "files" && { paths: ["/etc/hosts"] }),
    triggers: [again],
    // Longer than this panel takes to list a restore or a part of it, and also for the search after a kill.
    timeouts: { listed: "8s", settle: "4s" },
  };
}

function declaredBy({ intents, onFailure }: Task, again: Again): StackConfig {
  const alone = intents.filter(({ planned }) => planned === undefined);
  const specs = alone.map((intent): Spec => {
    const kind = intent.target.kind === "machine" ? "VmRestore" : "FileRestore";
    return { name: intent.name, kind, args: argsOf(intent, again.get(intent) ?? 0) };
  });
  const waves = ["first", "second"].map((name, index) => {
    const steps = intents.flatMap((intent) =>
      intent.planned?.wave === index ? [[intent.planned.step, argsOf(intent, again.get(intent) ?? 0)] as const] : [],
    );
    return { name, restores: Object.fromEntries(steps) };
  });
  // No goals: the time of a killed run's restore cannot be measured, and a goal that was not measured passes in no later run.
  const asked: RecoveryPlanArgs = { run: "storm", onFailure, waves };
  return { ...declare(specs), ...declarePlan(asked) };
}

function inYaml({ intents }: Task, again: Again): string {
  const resources = intents.map((intent) => {
    const type = intent.target.kind === "machine" ? "recovery:VmRestore" : "recovery:FileRestore";
    // Only in a program do the restores of one machine have an order of their own.
    const whole = intents.find(
      ({ target }) => target.kind === "machine" && target.machineId === intent.target.machineId,
    );
    const options = intent.target.kind === "files" && whole ? { dependsOn: [`\${${whole.name}}`] } : {};
    return [intent.name, { type, properties: argsOf(intent, again.get(intent) ?? 0), options }] as const;
  });
  return JSON.stringify({
    name: "yaml",
    runtime: "yaml",
    packages: { recovery: "./node_modules/pulumi-recovery/plugin" },
    resources: Object.fromEntries(resources),
  });
}
