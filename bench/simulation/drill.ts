import type { createSandbox } from "../../sandbox";
import type { VirtualClock } from "../../test/support/virtual-clock";

type PanelOptions = NonNullable<Parameters<typeof createSandbox>[0]>;
type Dialect = NonNullable<PanelOptions["dialect"]>;

/** Restores that are all asked for at the same time, each of a machine of its own. */
export interface Drill {
  readonly restores: number;
  /** How long the restore with this number runs once the panel has picked it up. */
  readonly runsForSeconds: (index: number) => number;
  readonly dialect?: Dialect;
  /** Rows per second that others add. */
  readonly foreignRowsPerSecond?: number;
}

/** One way of waiting for a drill, on a panel of its own. */
export interface Outcome {
  /** List requests that the panel has seen. */
  readonly listRequests: number;
  /** From each restore's true end to the moment it was known, in milliseconds. */
  readonly lagsMs: readonly number[];
}

export const tenMinutes = (): number => 600;

const firstMachine = 10_001;

export function machineOf(index: number): string {
  return String(firstMachine + index);
}

const daySeconds = 86_400;

/** A panel with a machine for each restore, the backup that its recovery point is of, and as many places as there are restores. */
export function panelOptions({
  restores,
  runsForSeconds,
  dialect = "plain",
  foreignRowsPerSecond = 0,
}: Drill): PanelOptions {
  const indices = Array.from({ length: restores }, (_, index) => index);
  return {
    slots: restores,
    dialect,
    scenario: {
      machines: indices.map((index) => ({
        id: machineOf(index),
        recoveryPoints: [1007],
        restoreSeconds: runsForSeconds(index),
      })),
      transactions: indices.map((index) => ({
        machineId: machineOf(index),
        action: "take_backup",
        status: "complete",
        ageSeconds: daySeconds,
        seconds: 90,
      })),
      background: { perSecond: foreignRowsPerSecond },
    },
  };
}

/** Lets the panel fill its first pages before the drill begins. */
export async function warmUp(clock: VirtualClock): Promise<void> {
  await clock.advance(60_000);
}
