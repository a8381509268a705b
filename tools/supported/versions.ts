import { readFileSync } from "node:fs";
import { join } from "node:path";
import { rsort } from "semver";

/** A Pulumi CLI, and the SDK that programs use with it. */
export interface Engine {
  readonly cli: string;
  readonly sdk: string;
}

/** A Node.js version, and the engines that are tested on it. */
interface Runtime {
  readonly node: string;
  readonly engines: readonly Engine[];
}

/** The supported versions, and those that the full test run tries. They are in supported.json. */
export interface Supported {
  /** The day on which somebody last checked which versions exist. */
  readonly on: string;
  /** The oldest Node.js, and the oldest Pulumi (CLI and SDK) as major and minor. Newer versions of the same major version are supported. */
  readonly oldest: { readonly node: string; readonly pulumi: string };
  readonly tested: readonly Runtime[];
}

export const supported = JSON.parse(readFileSync(join(__dirname, "supported.json"), "utf8")) as Supported;

/** `20` of `20.19.0`. */
export function major(version: string): number {
  return Number.parseInt(version, 10);
}

/** The engines of all runtimes, without duplicates. */
export function enginesOf({ tested }: Supported): readonly Engine[] {
  const all = new Map(
    tested.flatMap(({ engines }) => engines).map((engine) => [`${engine.cli} ${engine.sdk}`, engine]),
  );
  return [...all.values()];
}

/** The newest of these versions. */
export function newestOf(versions: readonly string[]): string {
  return rsort([...versions])[0] ?? "";
}
