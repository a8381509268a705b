import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { LocalWorkspace, Stack, type PulumiFn } from "@pulumi/pulumi/automation";
import { pulumiCommand } from "./cli";
import { engineEnvironment } from "./environment";

/** The location of a stack. Plain data, so that another process can open the same stack. */
export interface StackPlace {
  readonly project: string;
  readonly stack: string;
  /** Contains the engine's home, the backend and the project's own folder. */
  readonly folder: string;
  /** The program's working folder; `require` in the provider process starts here. */
  readonly cwd: string;
  /** Added to the environment of every run. */
  readonly env: Readonly<Record<string, string>>;
  /** The secrets provider that encrypts the stack's secrets. @default the passphrase */
  readonly secretsProvider?: string;
}

/** The folder with the stack's `Pulumi.yaml`. */
export function projectFolder(place: StackPlace): string {
  return join(place.folder, place.project);
}

/** Creates the stack with an inline program, which needs no language host. */
export async function createStack(place: StackPlace, program: PulumiFn): Promise<Stack> {
  const folders = [projectFolder(place), join(place.folder, "backend"), join(place.folder, "home")];
  await Promise.all(folders.map((path) => mkdir(path, { recursive: true })));
  return LocalWorkspace.createStack(...(await workspaceArguments(place, program)));
}

/** Opens an existing stack without having the CLI select it, because each operation names its stack anyway. */
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

/** Sets the whole configuration at once, like `pulumi config set`. */
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
