import { createRequire } from "node:module";
import { hostname, userInfo } from "node:os";
import type { RunBy } from "../judge/stored";
import { detectPipeline } from "./pipeline";

/** Who runs `pulumi up`, where, and with which version of this package. */
export function whoRunsThis(): RunBy {
  const [user, pipeline, version] = [userName(), detectPipeline(process.env), ownVersion()];
  return {
    host: hostname(),
    ...(user !== undefined && { user }),
    ...(pipeline && { pipeline }),
    ...(version !== undefined && { version }),
  };
}

/** The person behind a change; for a pipeline, whoever started it. */
export function personIn({ user, pipeline }: RunBy): string | undefined {
  return pipeline?.["actor"] ?? user;
}

function userName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a user id without a name.
    return process.env["USER"] ?? process.env["USERNAME"];
  }
}

function ownVersion(): string | undefined {
  const load = createRequire(__filename);
  for (const file of ["pulumi-recovery/package.json", "../../../package.json", "../../package.json"]) {
    try {
      const { name, version } = load(file) as { readonly name?: unknown; readonly version?: unknown };
      if (name === "pulumi-recovery" && typeof version === "string") return version;
    } catch {
      // Not there: the next place.
    }
  }
  return undefined;
}
