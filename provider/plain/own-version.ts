import { createRequire } from "node:module";

/** The version of this package. Once it is built, its package.json is above `dist/`. */
export function ownVersion(): string {
  const load = createRequire(__filename);
  for (const up of ["../../../", "../../"]) {
    try {
      const { name, version } = load(`${up}package.json`) as Readonly<Record<string, unknown>>;
      if (name === "pulumi-recovery") return String(version);
    } catch {
      // Not in this folder; the next folder has it.
    }
  }
  return "unknown";
}
