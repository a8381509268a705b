import type { createSandbox } from "../../sandbox";
import type { VirtualClock } from "../../test/support/virtual-clock";

type PanelOptions = NonNullable<Parameters<typeof createSandbox>[0]>;
type Dialect = NonNullable<PanelOptions["dialect"]>;

/** Restores that are all sent at the same time, each for a different machine. */
export interface Drill {
  readonly restores: number;
  /** How long the restore with this index runs after the panel picks it up. */
  readonly runsForSeconds: (index: number) => number;
  readonly dialect?: Dialect;
  /** The number of rows that other users add per second. */
  readonly foreignRowsPerSecond?: number;
}

/** The result of one way of waiting, measured on its own panel. */
export interface Outcome {
  /** The number of list requests, as counted by the panel. */
  readonly listRequests: number;
  /** For each restore, the milliseconds between its actual end and the moment when the end was noticed. */
  readonly lagsMs: readonly number[];
}

export const tenMinutes = (): number => 600;

const firstMachine = 10_001;

export function machineOf(index: number): string {
  return String(firstMachine + index);
}

const daySeconds = 86_400;

/** Options for a panel with one machine, one backup and one slot for each restore. */
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
