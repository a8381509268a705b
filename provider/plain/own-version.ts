import { createRequire } from "node:module";

/** The version of this package: its package.json lies above `dist/` once it is built. */
export function ownVersion(): string {
  const load = createRequire(__filename);
  for (const up of ["../../../", "../../"]) {
    try {
      const { name, version } = load(`${up}package.json`) as Readonly<Record<string, unknown>>;
      if (name === "pulumi-recovery") return String(version);
    } catch {
      // Not here; the next folder has it.
    }
  }
  return "unknown";
}
