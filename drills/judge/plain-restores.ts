import { isFinished, readRestoreRecord, type RestoreRecord } from "../../provider/inputs/record";
import { intentUrnOf, nameInUrn, restoreUrnOf } from "../../provider/inputs/resource-names";
import { isObject, type Properties } from "../../provider/plain/plain";
import { readText } from "../../provider/plain/stored-fields";
import { endedEvent, whatHappened } from "./history";
import { noUp, readChosen, readForm, type Entry, type Form, type PostedEvent, type RestoreEvent } from "./stored";
import { intentIdIn, type Resource, typesOf } from "./resources";
import type { Unjudged } from "./restores";

/** A restore without a plan, with its record as events. Its entry comes from its intent, which contains the current request, or else from its record. */
export function plainRestore(
  resource: Resource,
  current: ReadonlyMap<string, Resource>,
  begun: ReadonlySet<string>,
): Unjudged | undefined {
  const kind = resource.name === "VmRestore" || resource.name === "FileRestore" ? resource.name : undefined;
  if (kind === undefined) return undefined;
  const { urn, outputs, isOld } = resource;
  const intent = current.get(intentUrnOf(urn, kind, typesOf(resource)));
  const form = formOf(outputs, outputs["recoveryPointId"]);
  const machine = readText(outputs["virtualMachineId"]);
  const madeUnder = intentIdIn(outputs);
  const record = readRestoreRecord(outputs);
  const point = typeof form?.point === "string" ? form.point : undefined;
  // Paths that are a secret cannot be read, but a restore of files is no restore of the machine.
  const paths = form?.paths ?? (kind === "FileRestore" ? [] : undefined);
  const sent = { up: noUp, machine, point, paths, adopt: readText(outputs["adopt"]) };
  const restore = unjudged(begun, {
    ...{ urn, kind, machine },
    id: isOld ? madeUnder : (intent?.id ?? madeUnder),
    asked: (isOld ? undefined : intent && askedFor(intent.outputs)) ?? form,
    mark: intent?.outputs["mark"] ?? record.mark,
    events: eventsOf(record, madeUnder ?? urn, sent, resource.createdAt),
  });
  // A record that does not count belongs to an earlier request.
  return { ...restore, ...(restore.happened.counts && { record, log: record.logOutput }) };
}

/** An intent without a stored restore. The restore may or may not have been sent. */
export function intentAlone(
  resource: Resource,
  current: ReadonlyMap<string, Resource>,
  begun: ReadonlySet<string>,
): Unjudged | undefined {
  if (resource.name !== "Intent" || resource.id === undefined) return undefined;
  const { outputs, id } = resource;
  const kind = outputs["__kind"] === "FileRestore" ? "FileRestore" : "VmRestore";
  const urn = restoreUrnOf(resource.urn, kind, typesOf(resource));
  if (current.has(urn)) return undefined;
  const [asked, machine] = [askedFor(outputs), readText(outputs["virtualMachineId"])];
  return unjudged(begun, { urn, kind, machine, id, asked, mark: outputs["mark"], events: [] });
}

type Asked = Omit<Entry, "id" | "mark">;

/** `id`, `asked`, `mark`: the request in an intent, for the panel named in its mark. `begun`: the intents whose restore may be under way. */
function unjudged(
  begun: ReadonlySet<string>,
  one: Pick<Unjudged, "urn" | "kind" | "machine" | "events"> & {
    readonly id: string | undefined;
    readonly asked: Asked | undefined;
    readonly mark: unknown;
  },
): Unjudged {
  const { id, asked, mark, ...restore } = one;
  const known = isObject(mark) ? mark : {};
  return {
    ...restore,
    name: nameInUrn(one.urn),
    machine: asked?.machine ?? one.machine,
    ...(asked && id !== undefined && { entry: { id, mark: "", ...asked } }),
    mayBeSent: id !== undefined && begun.has(id),
    panel: readText(known["panel"]),
    isNumbered: readText(known["newestId"]) !== undefined,
    happened: whatHappened(one.events, id),
    checks: [],
  };
}

const formOf = (outputs: Properties, point: unknown): Form | undefined =>
  readForm({ ...outputs, machine: outputs["virtualMachineId"], point });

/** What an intent requests, with the point that its rule has chosen. */
function askedFor(outputs: Properties): Asked | undefined {
  const { recoveryPoint, recoveryPointId, choice } = outputs;
  const form = formOf(outputs, recoveryPoint ?? recoveryPointId);
  if (form === undefined || !isObject(choice)) return form;
  return { ...form, chosen: readChosen({ ...choice, id: recoveryPointId, takenAt: choice["recoveryPointTakenAt"] }) };
}

function eventsOf(
  record: RestoreRecord,
  entry: string,
  sent: Pick<PostedEvent, "up" | "machine" | "point" | "paths" | "adopt">,
  storedAt: string | undefined,
): readonly RestoreEvent[] {
  const { status, transactionIds: ids, requestedAt, finishedAt, adopted, adoptedPoint, failedBefore = [] } = record;
  const at = requestedAt ?? finishedAt ?? storedAt ?? "";
  const why = sent.adopt !== undefined && ids.includes(sent.adopt) ? "named" : "found";
  const point = adoptedPoint ?? (why === "found" ? sent.point : undefined);
  const how = adopted ? ({ did: "adopted", why, point } as const) : ({ did: "posted", answer: "accepted" } as const);
  const listed = (of: readonly string[]) => ({ at, entry, did: "listed", ids: of }) as const;
  // Only the transactions of failed attempts are stored.
  const failed: readonly RestoreEvent[] = [
    { at, entry, ...sent, did: "posted", answer: "accepted" },
    listed(failedBefore),
    { at, entry, did: "ended", status: "failed" },
  ];
  return [
    ...(failedBefore.length > 0 ? failed : []),
    { at, entry, ...sent, ...how },
    ...(ids.length > 0 ? [listed(ids)] : []),
    isFinished(status)
      ? { at: finishedAt ?? at, entry, ...endedEvent(status, record) }
      : { at, entry, did: "stopped", sent: "yes", why: `is ${status}`, status },
  ];
}
