import { randomBytes, randomUUID } from "node:crypto";
import { requireCheckpoints, takeMark } from "../../provider/engine/intents";
import { whyRefused } from "../../provider/inputs/check-restore";
import { nameInUrn } from "../../provider/inputs/resource-names";
import type { CheckFailure } from "../../provider/inputs/problems";
import type { Mark } from "../../provider/inputs/intent";
import { howToAllow } from "../../provider/inputs/settings";
import { MessageError } from "../../provider/plain/message";
import { entriesOf, isObject, type Properties } from "../../provider/plain/plain";
import { readText } from "../../provider/plain/stored-fields";
import { choosePointOfInputs } from "../../provider/points/choose-point-of-inputs";
import { askedDigest } from "../judge/history";
import { parsedText, readForm, readIntentText } from "../judge/read";
import type { ChosenPoint, Entry, EntryMark, Form, IntentText } from "../judge/stored";
import { type Asked, planEntries, leftAfter, leftOf, isAskedAgain } from "./entries";
import { Deleted, isKnown, logged, ownOf, type PlanOperations, type PlanProcess, requirePlanned, rowOf } from "./parts";
import { announcementText, firstText } from "./preview";

const nothingSent = "no restore of this wave was sent";

/** The intent of a wave: which restores are asked for, saved before any of them is sent. */
export function waveIntentOperations(planProcess: PlanProcess): PlanOperations {
  const { engineLog } = planProcess;
  const deleted = new Deleted();
  return {
    check(olds, news) {
      const inputs = isObject(news) ? news : {};
      if (!isKnown(inputs["declared"])) return { inputs, failures: [] };
      const failures = refusals(planProcess, inputs);
      const forms = formsIn(inputs);
      const isNew = !isObject(olds) || Object.keys(olds).length === 0;
      if (!isNew || failures.length > 0 || Object.keys(forms).length === 0) return { inputs, failures };
      engineLog.info(rowOf(inputs), firstText(forms));
      return engineLog.flushed().then(() => ({ inputs, failures }));
    },

    diff: (_id, olds, news) =>
      logged(engineLog, nothingSent, () => {
        requirePlanned(news);
        if (!isKnown(news["run"], news["declared"], news["__behind"])) return { changes: true };
        const stored = storedIn(olds);
        const { entries, announced } = planEntries(askedIn(news), stored);
        if (announced.length > 0) engineLog.warn(rowOf(news), announcementText(announced, entries.length));
        const isSameList = Object.keys(stored.entries).join("\n") === entries.map(({ name }) => name).join("\n");
        const isSame = isSameList && olds["asked"] === askedDigest(news);
        return { changes: announced.length > 0 || !isSame };
      }),

    create: (inputs) =>
      logged(engineLog, nothingSent, async () => ({
        id: `intent-${randomUUID()}`,
        outs: await intentOutputs(planProcess, inputs, deleted.of(inputs)),
      })),

    update: (_id, olds, news) =>
      logged(engineLog, nothingSent, async () => ({ outs: await intentOutputs(planProcess, news, olds) })),

    read: deleted.read,
    delete: deleted.delete,
  };
}

function refusals(planProcess: PlanProcess, inputs: Properties): CheckFailure[] {
  const forms = Object.entries(formsIn(inputs));
  const machines = new Map(forms.map(([name, { machine }]) => [machine, name]));
  return [...machines].flatMap(([machine, name]) => {
    const why = whyRefused(planProcess, machine);
    return why === undefined ? [] : [{ property: "declared", reason: `${name}: ${why}` }];
  });
}

function formsIn({ declared }: Properties): Readonly<Record<string, Form>> {
  const forms = entriesOf(parsedText(declared)).map(([name, stored]) => {
    const form = readForm(stored);
    if (form === undefined) throw new Error(`the restore ${name} cannot be read`);
    return [name, form] as const;
  });
  return Object.fromEntries(forms);
}

export function askedIn(inputs: Properties): Asked {
  const behind = entriesOf(parsedText(inputs["__behind"])).flatMap(([name, id]) =>
    typeof id === "string" ? [[name, id] as const] : [],
  );
  return { run: readText(inputs["run"]) ?? "", forms: formsIn(inputs), behind: Object.fromEntries(behind) };
}

/** What is stored. An unreadable text must not be mistaken for a missing text, or everything would be requested again. */
function storedIn(outputs: Properties): { readonly run: string | undefined } & IntentText {
  const { run, restores } = outputs;
  if (restores === undefined) return { run: undefined, entries: {}, marks: {} };
  const stored = readIntentText(restores);
  if (stored === undefined) throw new Error("the stored entries of this intent cannot be read: was the state edited?");
  return { run: readText(run), ...stored };
}

async function intentOutputs(planProcess: PlanProcess, inputs: Properties, before: Properties): Promise<Properties> {
  requirePlanned(inputs);
  const asked = askedIn(inputs);
  const stored = storedIn(before);
  const { entries } = planEntries(asked, stored);
  const isSameRun = stored.run === asked.run;
  const row = rowOf(inputs);
  const made = entries.filter(({ kept }) => kept === undefined);
  const mark = made.length === 0 ? undefined : await markFor(planProcess, row);
  const key = randomBytes(4).toString("base64url");
  const incidentAt = readText(inputs["incidentAt"]);
  const all = await Promise.all(
    entries.map(async ({ name, id, form, kept }): Promise<readonly [string, Entry]> => {
      if (kept !== undefined) return [name, kept];
      const why = planProcess.whyNotAllowed(form.machine);
      if (why !== undefined) throw new MessageError({ what: `${name}: ${why}`, next: howToAllow, help: "machines" });
      const chosen = await choose(planProcess, row, name, form, incidentAt);
      // Whatever this run has sent for the same restore is above its first mark.
      const earlier = isAskedAgain(id) ? leftOf(stored, name)?.mark : undefined;
      const place = earlier === undefined ? { mark: key } : { mark: earlier, up: planProcess.id };
      return [name, { id, ...place, ...form, ...(chosen && { chosen }) }];
    }),
  );
  const marks: Record<string, EntryMark> = mark === undefined ? {} : { [key]: { ...mark, process: planProcess.id } };
  const restores = Object.fromEntries(all);
  const left = isSameRun ? leftAfter(stored, restores, () => planProcess.session(row).clock.wallTime()) : {};
  for (const { mark: kept } of [...Object.values(restores), ...Object.values(left)]) {
    const known = stored.marks[kept];
    if (known !== undefined) marks[kept] = known;
  }
  const text: IntentText = { entries: restores, marks, ...(Object.keys(left).length > 0 && { left }) };
  return { ...ownOf(inputs), run: asked.run, asked: askedDigest(inputs), restores: JSON.stringify(text) };
}

/** A place in the list older than every restore that is requested now. */
function markFor(planProcess: PlanProcess, row: string): Promise<Mark> {
  requireCheckpoints(nameInUrn(row));
  return takeMark(planProcess.session(row));
}

/** Chosen once: a newer backup changes nothing about an entry. */
async function choose(
  planProcess: PlanProcess,
  row: string,
  name: string,
  { machine, point }: Form,
  incidentAt: string | undefined,
): Promise<ChosenPoint | undefined> {
  if (typeof point === "string") return undefined;
  const inputs = { virtualMachineId: machine, recoveryPoint: point, ...(incidentAt !== undefined && { incidentAt }) };
  const found = await choosePointOfInputs(inputs, planProcess.listAccess());
  if (found === undefined || !("recoveryPointId" in found)) return undefined;
  const { recoveryPointTakenAt, listed, fitted, warnings, incidentAt: instead } = found.choice;
  for (const warning of warnings) planProcess.engineLog.warn(row, `${name}: ${warning}`);
  return {
    id: found.recoveryPointId,
    takenAt: recoveryPointTakenAt,
    listed,
    fitted,
    ...(instead !== undefined && { incidentAt: instead }),
  };
}
