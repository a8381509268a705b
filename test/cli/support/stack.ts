import { entryId } from "../../../drills/judge/history";
import type { EntryMark, Form, PlanRestore, PlanText, RestoreEvent } from "../../../drills/judge/stored";
import type { Mark } from "../../../provider/inputs/intent";
import { intentName } from "../../../provider/inputs/resource-names";
import type { RestoreKind } from "../../../provider/inputs/restore-table";
import { at, type PendingOperation, type StackResource } from "../../report/support/stack";
import { address } from "./panel";

/** A restore without a plan, as it is stored. Without a status there is its intent alone. */
export interface Stored {
  readonly name?: string;
  readonly kind?: RestoreKind;
  readonly machine?: string;
  readonly point?: string;
  readonly status?: string;
  readonly ids?: readonly string[];
  /** The newest id when its intent was made. */
  readonly mark?: string;
  readonly panel?: string;
  readonly outputs?: object;
}

const markAt = (newestId: string, panel = address): Mark => ({ panel, newestId, takenAt: at(0) });

export function restore({
  name = "web",
  kind = "VmRestore",
  machine = "42",
  point = "1007",
  status,
  ids = [],
  mark = "5000",
  panel = address,
  outputs = {},
}: Stored): readonly StackResource[] {
  const paths = kind === "FileRestore" ? { paths: ["/etc/hosts"] } : {};
  const inputs = { virtualMachineId: machine, recoveryPointId: point, ...paths };
  const id = `process-1-${name}`;
  const intent: StackResource = {
    type: "Intent",
    name: intentName(name, kind),
    id,
    outputs: { kind, ...inputs, triggers: [], mark: markAt(mark, panel), ...outputs },
  };
  if (status === undefined) return [intent];
  const ended = status === "complete" || status === "failed" || status === "cancelled";
  const times = { requestedAt: at(0), ...(ended && { finishedAt: at(65), durationSeconds: 65 }) };
  const known = ids[0] === undefined ? {} : { transactionId: ids[0] };
  return [
    intent,
    {
      type: kind,
      name,
      outputs: {
        ...inputs,
        intent: { id },
        status,
        transactionIds: ids,
        ...known,
        adopted: false,
        warnings: [],
        ...(ids.length > 0 && times),
        ...(status !== "complete" && { mark: markAt(mark, panel) }),
        ...outputs,
      },
      after: [intent],
    },
  ];
}

export const pendingOn = (name: string, type = "VmRestore", of?: string): PendingOperation => ({
  type,
  name,
  operation: "creating",
  ...(of !== undefined && { of }),
});

/** A planned restore: what is declared, and what happened to it in this run. */
export interface Planned extends Omit<Partial<PlanRestore>, "machine" | "point"> {
  readonly machine?: string;
  readonly point?: string;
  readonly events?: readonly Happening[];
}

type Happening =
  | { readonly did: "posted" }
  | { readonly did: "listed"; readonly ids: readonly string[] }
  | { readonly did: "ended"; readonly status: "complete" | "failed" | "cancelled" }
  | {
      readonly did: "stopped";
      readonly why: string;
      readonly sent: "no" | "yes" | "unknown";
      readonly status?: "sent" | "pending" | "running";
    }
  | { readonly did: "checked"; readonly check: string; readonly passed: boolean };

export const complete = (id: string): readonly Happening[] => [
  { did: "posted" },
  { did: "listed", ids: [id] },
  { did: "ended", status: "complete" },
];

/** A plan called shop and its waves, as they are stored. `carriedOut`: the waves that have a record; the others only an intent. */
export function plan(
  waves: Readonly<Record<string, Readonly<Record<string, Planned>>>>,
  more: Partial<PlanText> & { readonly secrets?: unknown; readonly carriedOut?: readonly string[] } = {},
): readonly StackResource[] {
  const { secrets = "", carriedOut = Object.keys(waves), run = "2026-Q4", ...definition } = more;
  const text: PlanText = {
    run,
    kind: "drill",
    onFailure: "stop",
    onMissedGoal: "fail",
    ...definition,
    waves: Object.entries(waves).map(([name, restores]) => ({
      name,
      restores: Object.fromEntries(Object.entries(restores).map(([each, one]) => [each, planRestore(one)])),
    })),
  };
  const runs: StackResource = {
    type: "PlanRun",
    name: "shop-run",
    of: "shop",
    outputs: {
      run,
      startedAt: at(0),
      up: "process-1",
      by: {},
      plan: JSON.stringify(text),
      secrets,
      changes: [],
      earlierRuns: [],
    },
  };
  let previous = runs;
  return [
    runs,
    ...Object.entries(waves).flatMap(([wave, restores]): StackResource[] => {
      const marks: Record<string, EntryMark> = { m: { ...markAt("5000"), process: "process-1" } };
      const entries = Object.fromEntries(
        Object.entries(restores).map(([name, one]) => {
          const form = formOf(one);
          return [name, { id: entryId(run, name, form, undefined), mark: "m", ...form }];
        }),
      );
      const intent: StackResource = {
        type: "WaveIntent",
        name: `shop-wave-${wave}-intent`,
        of: "shop",
        outputs: { run, restores: JSON.stringify({ entries, marks }) },
        after: [previous],
      };
      if (!carriedOut.includes(wave)) return [intent];
      const events = Object.entries(restores).map(([name, one]) => [
        name,
        (one.events ?? []).map((event, index) => stamped(event, entries[name]?.id ?? "", index, one)),
      ]);
      const record: StackResource = {
        type: "Wave",
        name: `shop-wave-${wave}`,
        of: "shop",
        outputs: { run, record: JSON.stringify({ restores: Object.fromEntries(events) as object, proofs: {} }) },
        after: [intent],
      };
      previous = record;
      return [intent, record];
    }),
  ];
}

function planRestore(planned: Planned): PlanRestore {
  const declared: Partial<Planned> = { ...planned };
  delete (declared as { events?: unknown }).events;
  return { ...formOf(planned), checks: [], ...declared } as PlanRestore;
}

function formOf({ machine = "42", point = "1007", rule, paths, triggers }: Planned): Form {
  return { machine, point: rule ?? point, ...(paths && { paths }), ...(triggers && { triggers }) };
}

function stamped(
  event: Happening,
  entry: string,
  index: number,
  { machine = "42", point, paths }: Planned,
): RestoreEvent {
  const common = { at: at(index * 10), entry };
  switch (event.did) {
    case "posted":
      return {
        ...common,
        ...event,
        up: "process-1",
        machine,
        answer: "accepted",
        mark: markAt("5000"),
        ...(point && { point }),
        ...(paths && { paths }),
      };
    case "ended":
      return { ...common, ...event, requestedAt: at(0), finishedAt: at(65) };
    case "checked":
      return { ...common, ...event, asks: event.check, attempts: 1, seconds: 2 };
    case "listed":
    case "stopped":
      return { ...common, ...event };
  }
}
