import type { FindingVerdict } from "../../../cli/ready/result";
import type { PanelOptions } from "../../../sandbox";
import { encrypted } from "../../report/support/stack";
import type { Played } from "../../report/support/restores";
import type { ReadySetup } from "./run-ready";

export const hour = 3_600;
export const web: Played = { name: "web", machine: 42, point: 1007, requested: 0, ran: 60, transaction: "5014" };
const newest = { outputs: { recoveryPoint: { pick: "newest" } } };

/** A panel whose machine 42 has these recovery points. */
export function machine(
  points: NonNullable<NonNullable<NonNullable<PanelOptions["scenario"]>["machines"]>[number]["recoveryPoints"]>,
  dialect: PanelOptions["dialect"] = {},
): PanelOptions {
  return { dialect, scenario: { machines: [{ id: 42, recoveryPoints: points }] } };
}

export const oneHour = machine([{ id: 1007, ageSeconds: hour }]);

export interface ReadyCase extends Omit<ReadySetup, "state"> {
  readonly name: string;
  readonly of?: Partial<Played>;
  readonly verdict: "ready" | FindingVerdict;
  /** Of its first finding. */
  readonly code?: string;
  readonly says?: RegExp;
}

const goal = { asked: { goalAgeSeconds: 24 * hour } };

/** A state and a panel for each thing that `ready` can find about a restore. */
export const readyCases: readonly ReadyCase[] = [
  { name: "a point that is listed and usable", panel: oneHour, verdict: "ready" },
  { name: "data as young as the goal wants it", panel: oneHour, ...goal, verdict: "ready" },
  {
    name: "a machine that the panel does not know",
    panel: { scenario: { machines: [{ id: 43 }] } },
    verdict: "not ready",
    code: "machine.unknown",
    says: /knows no machine 42/,
  },
  {
    name: "a machine that is not allowed",
    panel: oneHour,
    settings: { allowedMachines: "41,43" },
    verdict: "not ready",
    code: "machine.not-allowed",
    says: /Machine 42 is not among the machines that may be restored: it is not in allowedMachines \(41, 43\)\./,
  },
  { name: "a machine that is allowed", panel: oneHour, settings: { allowedMachines: "[42]" }, verdict: "ready" },
  {
    name: "a point that is no longer listed",
    panel: machine([{ id: 1008 }]),
    verdict: "not ready",
    code: "point.gone",
    says: /Recovery point 1007 of machine 42 is no longer listed/,
  },
  { name: "a point of a machine that has none any more", panel: machine([]), verdict: "not ready", code: "point.gone" },
  {
    name: "a point that cannot be restored",
    panel: machine([{ id: 1007, state: "building" }]),
    verdict: "not ready",
    code: "point.unusable",
    says: /1007 is building/,
  },
  {
    name: "a state of a point that the settings name",
    panel: machine([{ id: 1007, state: "building" }]),
    settings: { pointStates: "building" },
    verdict: "ready",
  },
  {
    name: "data that is older than the goal",
    panel: machine([{ id: 1007, ageSeconds: 9 * 24 * hour }]),
    ...goal,
    verdict: "not ready",
    code: "point.too-old",
    says: /would be 9d old, and the goal is 1d/,
  },
  {
    name: "a rule with a point to choose",
    of: newest,
    panel: machine([{ id: 1 }, { id: 2 }]),
    ...goal,
    verdict: "ready",
  },
  { name: "a rule and no point", of: newest, panel: machine([]), verdict: "not ready", code: "point.none" },
  {
    name: "a rule and no point that can be restored",
    of: newest,
    panel: machine([{ id: 1, state: "merging" }]),
    verdict: "not ready",
    code: "point.none-usable",
  },
  {
    name: "a rule and no point within it",
    of: { outputs: { recoveryPoint: { pick: "newest", within: 600 } } },
    panel: oneHour,
    verdict: "not ready",
    code: "point.none-fits",
  },
  {
    name: "a rule that passes a newer one over",
    of: newest,
    panel: machine([
      { id: 1, ageSeconds: hour },
      { id: 2, ageSeconds: 60, state: "merging" },
    ]),
    verdict: "warning",
    code: "point.passed-over",
    says: /1 \(.*\) was chosen, and not 2 /,
  },
  {
    name: "a rule of chance that may take one that is too old",
    of: { outputs: { recoveryPoint: { pick: "random" } } },
    panel: machine([
      { id: 1, ageSeconds: 40 * 24 * hour },
      { id: 2, ageSeconds: 60 },
    ]),
    ...goal,
    verdict: "not ready",
    code: "point.too-old",
    says: /40d old/,
  },
  {
    name: "a panel without a list of points",
    panel: machine([1007], { pointList: "missing" }),
    verdict: "cannot be told",
    code: "points.no-list",
  },
  {
    name: "a list of points that this user may not read",
    panel: machine([1007], { pointList: "forbidden" }),
    verdict: "cannot be told",
    code: "points.forbidden",
  },
  {
    name: "a list with other machines' points",
    panel: {
      scenario: { machines: [{ id: 42 }, { id: 43, recoveryPoints: [2007] }] },
      dialect: { pointMachines: "all" },
    },
    verdict: "cannot be told",
    code: "points.other-machines",
  },
  {
    name: "a rule that passes a point of the future over",
    of: newest,
    panel: machine([
      { id: 1, ageSeconds: hour },
      { id: 2, ageSeconds: -365 * 24 * hour },
    ]),
    ...goal,
    verdict: "warning",
    code: "point.passed-over",
    says: /1 \(.*\) was chosen, and not 2 \(.*\): that time is still to come/,
  },
  {
    name: "a rule and only points of the future",
    of: newest,
    panel: machine([{ id: 2, ageSeconds: -hour }]),
    verdict: "cannot be told",
    code: "points.future",
    says: /still to come: 2 /,
  },
  {
    name: "a named point of the future, and a goal",
    panel: machine([{ id: 1007, ageSeconds: -hour }]),
    ...goal,
    verdict: "cannot be told",
    code: "points.future",
    says: /Recovery point 1007 was taken at .*, which is in the future/,
  },
  {
    name: "a named point of the future, and none",
    panel: machine([{ id: 1007, ageSeconds: -61 }]),
    verdict: "warning",
    code: "points.future",
  },
  {
    name: "times without a zone, and a goal",
    panel: machine([1007], { pointTime: "noZone" }),
    ...goal,
    verdict: "cannot be told",
    code: "points.no-times",
  },
  { name: "times without a zone, and none", panel: machine([1007], { pointTime: "noZone" }), verdict: "ready" },
  {
    name: "times without a zone, and a rule",
    of: newest,
    panel: machine([1007], { pointTime: "noZone" }),
    verdict: "cannot be told",
    code: "points.no-times",
  },
  {
    name: "a panel that does not say what time it is",
    panel: oneHour,
    ...goal,
    rewrite: ({ headers, ...answer }) => ({
      ...answer,
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== "date")),
    }),
    verdict: "cannot be told",
    code: "points.no-clock",
  },
  {
    name: "a list of points that is not known to be whole",
    of: newest,
    panel: machine(
      Array.from({ length: 25 }, (_, index) => index + 1),
      { pointPaging: "sizes" },
    ),
    verdict: "cannot be told",
    code: "points.not-whole",
    says: /may have more recovery points of machine 42 than can be read.*from the first one on/,
  },
  {
    name: "a total that the list of points does not have",
    panel: machine([1007], { pointTotal: "oneMore" }),
    verdict: "cannot be told",
    code: "points.not-whole",
    says: /the panel tells of 2 rows and shows 1/,
  },
  {
    name: "a long list of points that is capped, oldest first",
    of: newest,
    panel: machine(
      Array.from({ length: 250 }, (_, index) => index + 1),
      { pointOrder: "oldest", pointPageSize: 50, pointCap: 100, pointTotal: "sent" },
    ),
    ...goal,
    verdict: "ready",
  },
  {
    name: "a list of points that fails",
    panel: oneHour,
    before: (panel) => {
      panel.setFaults({ get: { serverError: { path: "recovery_points" } } });
    },
    verdict: "cannot be told",
    code: "points.unread",
  },
  {
    name: "a log that this user may not read",
    panel: oneHour,
    before: (panel) => {
      panel.setFaults({ get: { refuse: { status: 403, path: "/logs" } } });
    },
    verdict: "cannot be told",
    code: "machine.log",
  },
  {
    name: "transactions that this user may not read",
    panel: oneHour,
    before: (panel) => {
      panel.setFaults({ get: { refuse: { status: 403, path: "/transactions" } } });
    },
    verdict: "cannot be told",
    code: "list.forbidden",
  },
  {
    name: "a machine at work",
    panel: oneHour,
    before: (panel) => panel.addTransaction({ machineId: 42, action: "take_backup", seconds: 500 }),
    verdict: "warning",
    code: "machine.busy",
    says: /1 job has not ended on machine 42: take_backup/,
  },
  {
    name: "a restore that failed",
    of: { status: "failed" },
    panel: oneHour,
    verdict: "not ready",
    code: "restore.failed",
  },
  {
    name: "a restore that was cancelled",
    of: { status: "cancelled" },
    panel: oneHour,
    verdict: "not ready",
    code: "restore.cancelled",
  },
  {
    name: "a restore that has not ended",
    of: { status: "running" },
    panel: oneHour,
    verdict: "not ready",
    code: "restore.unfinished",
  },
  {
    name: "a restore whose machine was restored again since",
    of: { status: "overwritten" },
    panel: oneHour,
    verdict: "not ready",
    code: "restore.overwritten",
  },
  {
    name: "a restore of a plan that was held back behind the one before it",
    of: { status: "not sent", transaction: undefined as never },
    panel: oneHour,
    verdict: "warning",
    code: "restore.not-begun",
  },
  {
    name: "a restore that was sent and never listed",
    of: { name: "web", status: "unknown", transaction: undefined as never },
    panel: oneHour,
    verdict: "not ready",
    code: "restore.unconfirmed",
  },
  {
    name: "a restore that the engine has stored an error with",
    of: { initErrors: ["Transaction 5014 is another restore's."] },
    panel: oneHour,
    verdict: "not ready",
    code: "restore.failed",
    says: /5014 is another restore's/,
  },
  {
    name: "an intent whose restore is not in the state",
    of: { carries: "intent-of-before" },
    panel: oneHour,
    verdict: "not ready",
    code: "restore.unconfirmed",
  },
  {
    name: "a machine that the state keeps as a secret",
    of: { outputs: { virtualMachineId: encrypted() } },
    panel: oneHour,
    verdict: "cannot be told",
    code: "state.machine",
  },
  {
    name: "a point that the state keeps as a secret",
    of: { outputs: { recoveryPointId: encrypted() } },
    panel: oneHour,
    verdict: "cannot be told",
    code: "state.point",
  },
];
