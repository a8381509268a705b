import { createRequire } from "node:module";

/** The version of this package, from the package.json of this folder or of a folder above: in a built package, it is above `dist/`. */
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
