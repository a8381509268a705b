import { createRequire } from "node:module";

/** The version of this package, from its package.json, which is above `dist/` once the package is built. */
export function ownVersion(): string {
  const load = createRequire(__filename);
  for (const up of ["../../../", "../../"]) {
    try {
      const { name, version } = load(`${up}package.json`) as Readonly<Record<string, unknown>>;
      if (name === "pulumi-recovery") return String(version);
    } catch {
      // There is no package.json in this folder.
    }
  }
  return "unknown";
}
