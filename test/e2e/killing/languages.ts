import type { Killable } from "../support/killable";
import { restores, type Spec } from "../support/restores";
import type { Run } from "../support/run";
import type { Sandbox, Scene } from "../support/scene";
import { connection, yamlProject } from "../support/yaml-project";
import { restoresInYaml } from "../support/yaml-restores";

/** How a run ended, and the outcome of its restores. */
export interface End {
  readonly error: string | undefined;
  readonly stdout: string;
  readonly statuses: readonly string[];
  readonly transactions: readonly string[];
}

/** A program with restores that can be run, killed and run again. */
interface RestoringProgram {
  start(): Promise<Killable>;
  cancel(): Promise<unknown>;
  up(): Promise<End>;
  /** The result of a run that was started but not killed in time. */
  after(run: Awaited<Killable["ended"]>): Promise<End>;
}

type Config = Readonly<Record<string, string>>;
type MakeProgram = (
  scene: Pick<Scene, "stack" | "folder">,
  panel: Sandbox,
  specs: readonly Spec[],
  config: Config,
) => Promise<RestoringProgram>;

/** The same restores, declared in each tested language. */
export const programs = {
  async TypeScript(scene, _panel, specs, config) {
    const stack = await restores(scene, specs, { config });
    const after = ({ error, stdout, outputs }: Pick<Run, "stdout" | "outputs" | "error">): Promise<End> =>
      Promise.resolve({
        error,
        stdout,
        statuses: (outputs["statuses"]?.value ?? []) as string[],
        transactions: (outputs["transactions"]?.value ?? []) as string[],
      });
    return {
      start: () => stack.start("up", { parallel: 10 }, "ignored"),
      cancel: () => stack.cancel(),
      up: async () => after(await stack.up({ parallel: 10 })),
      after,
    };
  },

  async YAML(scene, panel, specs, config) {
    const project = await yamlProject(scene.folder, restoresInYaml(specs), { ...connection(panel), ...config });
    const up = ["up", "--yes", "--skip-preview", "--parallel", "10"];
    const after = async ({ error, stdout }: Pick<Run, "stdout" | "error">): Promise<End> => {
      const { statuses, transactions } = await project.outputs();
      return { error, stdout, statuses: statuses as string[], transactions: transactions as string[] };
    };
    return {
      start: () => Promise.resolve(project.start(...up)),
      cancel: () => project.cancel(),
      up: async () => after(await project.start(...up).ended),
      after,
    };
  },
} as const satisfies Readonly<Record<string, MakeProgram>>;

export type Language = keyof typeof programs;
