import { createRequire } from "node:module";

/** The version of this package, from its package.json, which is above `dist/` once the package is built. */
export function ownVersion(): string {
  const { version } = createRequire(__filename)("pulumi-recovery/package.json") as { readonly version: string };
  return version;
}
