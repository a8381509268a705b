import type { Killable } from "../support/killable";
import { restores, type Spec } from "../support/restores";
import type { Sandbox, Scene } from "../support/scene";
import { connection, yamlProject } from "../support/yaml-project";
import { restoresInYaml } from "../support/yaml-restores";

/** A program with restores that can be run, killed and run again. */
interface RestoringProgram {
  start(): Killable;
  cancel(): Promise<unknown>;
  outputs(): Promise<Readonly<Record<string, unknown>>>;
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
    return {
      start: () => stack.start({ parallel: 10 }),
      cancel: () => stack.cancel(),
      outputs: () => stack.outputs(),
    };
  },

  async YAML(scene, panel, specs, config) {
    const project = await yamlProject(scene.folder, restoresInYaml(specs), { ...connection(panel), ...config });
    return {
      start: () => project.start("up", "--yes", "--skip-preview", "--parallel", "10"),
      cancel: () => project.cancel(),
      outputs: () => project.outputs(),
    };
  },
} as const satisfies Readonly<Record<string, MakeProgram>>;

export type Language = keyof typeof programs;
