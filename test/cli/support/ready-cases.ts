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
}

const goal = { asked: { goalAgeSeconds: 24 * hour } };

/** A state and a panel for each thing that `ready` can find about a restore. `messages.golden.txt` has the verdicts and the texts. */
export const readyCases: readonly ReadyCase[] = [
  { name: "a point that is listed and usable", panel: oneHour },
  { name: "data as young as the goal wants it", panel: oneHour, ...goal },
  { name: "a machine that the panel does not know", panel: { scenario: { machines: [{ id: 43 }] } } },
  { name: "a machine that is not allowed", panel: oneHour, settings: { allowedMachines: "41,43" } },
  { name: "a machine that is allowed", panel: oneHour, settings: { allowedMachines: "[42]" } },
  { name: "a point that is no longer listed", panel: machine([{ id: 1008 }]) },
  { name: "a point of a machine that has none any more", panel: machine([]) },
  { name: "a point that cannot be restored", panel: machine([{ id: 1007, state: "building" }]) },
  {
    name: "a state of a point that the settings name",
    panel: machine([{ id: 1007, state: "building" }]),
    settings: { pointStates: "building" },
  },
  { name: "data that is older than the goal", panel: machine([{ id: 1007, ageSeconds: 9 * 24 * hour }]), ...goal },
  { name: "a rule with a point to choose", of: newest, panel: machine([{ id: 1 }, { id: 2 }]), ...goal },
  { name: "a rule and no point", of: newest, panel: machine([]) },
  { name: "a rule and no point that can be restored", of: newest, panel: machine([{ id: 1, state: "merging" }]) },
  {
    name: "a rule and no point within it",
    of: { outputs: { recoveryPoint: { pick: "newest", within: 600 } } },
    panel: oneHour,
  },
  {
    name: "a rule that passes a newer one over",
    of: newest,
    panel: machine([
      { id: 1, ageSeconds: hour },
      { id: 2, ageSeconds: 60, state: "merging" },
    ]),
  },
  {
    name: "a rule of chance that may take one that is too old",
    of: { outputs: { recoveryPoint: { pick: "random" } } },
    panel: machine([
      { id: 1, ageSeconds: 40 * 24 * hour },
      { id: 2, ageSeconds: 60 },
    ]),
    ...goal,
  },
  { name: "a panel without a list of points", panel: machine([1007], { pointList: "missing" }) },
  { name: "a list of points that this user may not read", panel: machine([1007], { pointList: "forbidden" }) },
  {
    name: "a list with other machines' points",
    panel: {
      scenario: { machines: [{ id: 42 }, { id: 43, recoveryPoints: [2007] }] },
      dialect: { pointMachines: "all" },
    },
  },
  {
    name: "a rule that passes a point of the future over",
    of: newest,
    panel: machine([
      { id: 1, ageSeconds: hour },
      { id: 2, ageSeconds: -365 * 24 * hour },
    ]),
    ...goal,
  },
  { name: "a rule and only points of the future", of: newest, panel: machine([{ id: 2, ageSeconds: -hour }]) },
  { name: "a named point of the future, and a goal", panel: machine([{ id: 1007, ageSeconds: -hour }]), ...goal },
  { name: "a named point of the future, and none", panel: machine([{ id: 1007, ageSeconds: -61 }]) },
  { name: "times without a zone, and a goal", panel: machine([1007], { pointTime: "noZone" }), ...goal },
  { name: "times without a zone, and none", panel: machine([1007], { pointTime: "noZone" }) },
  { name: "times without a zone, and a rule", of: newest, panel: machine([1007], { pointTime: "noZone" }) },
  {
    name: "a panel that does not say what time it is",
    panel: oneHour,
    ...goal,
    rewrite: ({ headers, ...answer }) => ({
      ...answer,
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== "date")),
    }),
  },
  {
    name: "a thousand points, oldest first, on a panel of ten rows a page",
    of: newest,
    panel: machine(
      Array.from({ length: 1_000 }, (_, index) => ({ id: index + 1, ageSeconds: (1_000 - index) * hour })),
      { pointCap: 10, pointOrder: "oldest" },
    ),
    asked: { goalAgeSeconds: 2 * hour },
  },
  {
    name: "more recovery points than ready reads",
    panel: machine(
      Array.from({ length: 2_000 }, (_, index) => index + 1),
      { pointCap: 10 },
    ),
  },
  {
    name: "a list of points that is not known to be whole",
    of: newest,
    panel: machine(
      Array.from({ length: 25 }, (_, index) => index + 1),
      { pointPaging: "sizes" },
    ),
  },
  { name: "a total that the list of points does not have", panel: machine([1007], { pointTotal: "oneMore" }) },
  {
    name: "a long list of points that is capped, oldest first",
    of: newest,
    panel: machine(
      Array.from({ length: 250 }, (_, index) => index + 1),
      { pointOrder: "oldest", pointPageSize: 50, pointCap: 100, pointTotal: "sent" },
    ),
    ...goal,
  },
  {
    name: "a list of points that fails",
    panel: { ...oneHour, faults: { get: { serverError: { path: "recovery_points" } } } },
  },
  {
    name: "a log that this user may not read",
    panel: { ...oneHour, faults: { get: { refuse: { status: 403, path: "/logs" } } } },
  },
  {
    name: "transactions that this user may not read",
    panel: { ...oneHour, faults: { get: { refuse: { status: 403, path: "/transactions" } } } },
  },
  {
    name: "a machine at work",
    panel: oneHour,
    before: (panel) => panel.addTransaction({ machineId: 42, action: "take_backup", seconds: 500 }),
  },
  { name: "a restore that failed", of: { status: "failed" }, panel: oneHour },
  { name: "a restore that was cancelled", of: { status: "cancelled" }, panel: oneHour },
  { name: "a restore that has not ended", of: { status: "running" }, panel: oneHour },
  { name: "a restore whose machine was restored again since", of: { status: "overwritten" }, panel: oneHour },
  {
    name: "a restore of a plan that was held back behind the one before it",
    of: { status: "not sent", transaction: undefined as never },
    panel: oneHour,
  },
  {
    name: "a restore that was sent and never listed",
    of: { name: "web", status: "unknown", transaction: undefined as never },
    panel: oneHour,
  },
  {
    name: "a restore that the engine has stored an error with",
    of: { initErrors: ["Transaction 5014 is another restore's."] },
    panel: oneHour,
  },
  { name: "an intent whose restore is not in the state", of: { carries: "intent-of-before" }, panel: oneHour },
  {
    name: "a machine that the state keeps as a secret",
    of: { outputs: { virtualMachineId: encrypted() } },
    panel: oneHour,
  },
  {
    name: "a point that the state keeps as a secret",
    of: { outputs: { recoveryPointId: encrypted() } },
    panel: oneHour,
  },
];
