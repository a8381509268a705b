import type { IntendedPlan, Intent, RestoreKind } from "../../provider/inputs/intent";
import { markOf } from "../../provider/rows/mark";
import type { Voice } from "../../provider/restore/result";
import type { Site } from "../../provider/restore/site";

let made = 0;

/** The intent of a restore, made as the engine has it made: by one read of the list. */
export async function makeIntent(
  site: Site,
  machine = "42",
  options: { readonly kind?: RestoreKind; readonly point?: string; readonly paths?: readonly string[] } = {},
): Promise<Intent> {
  const head = await site.feed.head();
  const kind = options.kind ?? "VmRestore";
  const paths = options.paths ?? (kind === "FileRestore" ? ["/etc/hosts"] : undefined);
  return {
    id: `intent-${String(++made)}`,
    urn: `urn:pulumi:dev::drill::pulumi-nodejs:dynamic/recovery:RestoreIntent::web-vm-intent`,
    process: "test",
    madeAt: site.clock.wallTime().toISOString(),
    mark: markOf(head, site.client.address),
    madeFor: { kind, virtualMachineId: machine, recoveryPointId: options.point ?? "1007", ...(paths && { paths }) },
  };
}

export function planFor(intent: Intent, changes: Partial<IntendedPlan> = {}): IntendedPlan {
  return {
    name: "web",
    intent,
    target: intent.madeFor,
    timeouts: {
      busyMs: 30 * 60_000,
      listedMs: 2 * 60_000,
      queueMs: 3_600_000,
      runMs: 4 * 3_600_000,
      ...changes.timeouts,
    },
    wait: true,
    adopt: "auto",
    retryFailed: true,
    captureLog: "onFailure",
    ...changes,
  };
}

/** Remembers what was said on a resource's row. */
export function listeningVoice(): Voice & { readonly said: string[]; readonly warned: string[] } {
  const said: string[] = [];
  const warned: string[] = [];
  return {
    said,
    warned,
    progress: (text) => {
      said.push(text);
    },
    warn: (text) => {
      warned.push(text);
    },
  };
}
