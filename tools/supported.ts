import { rsort } from "semver";
import versions from "./versions.json";

/** A Pulumi CLI, and the SDK that programs use with it. */
export type Engine = (typeof versions.tested)[number]["engines"][number];

/** The supported versions, the versions that the full test run uses, and the versions that the setup script downloads or builds. */
export const supported = versions;

/** `20` for `20.19.0`. */
export function major(version: string): number {
  return Number.parseInt(version, 10);
}

/** The engines of all Node.js versions, without duplicates. */
export function enginesOf({ tested }: typeof versions): readonly Engine[] {
  const all = new Map(
    tested.flatMap(({ engines }) => engines).map((engine) => [`${engine.cli} ${engine.sdk}`, engine]),
  );
  return [...all.values()];
}

/** The newest of these versions. */
export function newestOf(versions: readonly string[]): string {
  return rsort([...versions])[0] ?? "";
}
