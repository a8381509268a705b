import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { LocalWorkspace, Stack, type PulumiFn } from "@pulumi/pulumi/automation";
import { pulumiCommand } from "./cli";
import { engineEnvironment } from "./environment";

/** Where a stack lives. Plain data, so that another process can open the same stack. */
export interface StackPlace {
  readonly project: string;
  readonly stack: string;
  /** Holds the engine's home, the backend and the project's own folder. */
  readonly folder: string;
  /** The program's working folder; `require` in the provider process starts here. */
  readonly cwd: string;
  /** On top of what every run gets. */
  readonly env: Readonly<Record<string, string>>;
  /** What its secrets are encrypted with. Default: the passphrase. */
  readonly secretsProvider?: string;
}

/** The folder with the stack's `Pulumi.yaml`. */
export function projectFolder(place: StackPlace): string {
  return join(place.folder, place.project);
}

/** Makes the stack, with an inline program: no language host is needed. */
export async function createStack(place: StackPlace, program: PulumiFn): Promise<Stack> {
  const folders = [projectFolder(place), join(place.folder, "backend"), join(place.folder, "home")];
  await Promise.all(folders.map((path) => mkdir(path, { recursive: true })));
  return LocalWorkspace.createStack(...(await workspaceArguments(place, program)));
}

/** Opens a stack that was made before. The CLI is not asked whether it is there: each operation names its stack anyway. */
export async function openStack(place: StackPlace, program: PulumiFn): Promise<Stack> {
  const [, options] = await workspaceArguments(place, program);
  const workspace = await LocalWorkspace.create({ ...options, program });
  workspace.selectStack = () => Promise.resolve();
  return Stack.select(place.stack, workspace);
}

async function workspaceArguments(place: StackPlace, program: PulumiFn) {
  return [
    { stackName: place.stack, projectName: place.project, program },
    {
      workDir: projectFolder(place),
      pulumiCommand: await pulumiCommand(),
      projectSettings: { name: place.project, runtime: "nodejs", main: place.cwd },
      envVars: { ...engineEnvironment(place.folder), ...place.env },
      ...(place.secretsProvider !== undefined && { secretsProvider: place.secretsProvider }),
    },
  ] as const;
}

/** Plain text, or `{ secret }`. */
export type StackConfig = Readonly<Record<string, string | { readonly secret: string }>>;

/** `pulumi config set`, all at once. */
export async function configure(stack: Stack, config: StackConfig): Promise<void> {
  if (Object.keys(config).length === 0) return;
  await stack.setAllConfig(
    Object.fromEntries(
      Object.entries(config).map(([key, value]) => [
        key,
        typeof value === "string" ? { value } : { value: value.secret, secret: true },
      ]),
    ),
  );
}

/** Stack configuration for a simulated panel. */
export function connectionTo(panel: {
  readonly url: string;
  readonly username: string;
  readonly password: string;
}): StackConfig {
  return {
    "recovery:endpoint": panel.url,
    "recovery:username": panel.username,
    "recovery:password": { secret: panel.password },
  };
}
