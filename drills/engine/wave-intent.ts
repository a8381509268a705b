import type { Operations } from "../../provider/engine/sanitize";
import { randomBytes, randomUUID } from "node:crypto";
import { requireCheckpoints, takeMark } from "../../provider/engine/intents";
import { nameInUrn } from "../../provider/inputs/resource-names";
import { howToAllow } from "../../provider/inputs/settings";
import { MessageError } from "../../provider/plain/message";
import { entriesOf, omitUndefined, type Properties } from "../../provider/plain/plain";
import { readText } from "../../provider/plain/stored-fields";
import { choosePoint, type PointAccess } from "../../provider/points/choose-point";
import { knownLater } from "../../provider/inputs/read-values";
import { parsedText, required } from "../judge/read";
import {
  readForm,
  readIntentText,
  type ChosenPoint,
  type Entry,
  type EntryMark,
  type Form,
  type IntentText,
} from "../judge/stored";
import { allAskedIn, type Asked, notMade, planEntries, type PlannedWave } from "./entries";
import { Deleted, isKnown, ownOf, type PlanProcess, rowOf, type SeenParts } from "./parts";
import { firstText } from "./preview";

/** The operations of a wave's intent, which stores the requested restores before any of them is sent. */
export function waveIntentOperations(planProcess: PlanProcess, seen: SeenParts): Operations {
  const { engineLog } = planProcess;
  const deleted = new Deleted();
  const checkNew = (inputs: Properties): void => {
    const forms = formsIn(inputs);
    const incidentAt = incidentIn(inputs);
    if (isKnown(inputs["run"])) {
      const planned = planEntries(askedIn(inputs), storedIn({}));
      seen.planned.set(rowOf(inputs), { ...planned, incidentAt, isRemade: seen.stored.has(rowOf(inputs)) });
    }
    if (Object.keys(forms).length === 0) return;
    planProcess.namePanel();
    engineLog.info(rowOf(inputs), firstText(forms, incidentAt));
  };
  return {
    check(olds, news) {
      const { inputs, isNew } = seen.check(olds, news);
      // The engine does not call `diff` for a resource that it creates.
      if (isNew && isKnown(inputs["declared"])) checkNew(inputs);
      return { inputs, failures: [] };
    },

    diff(_id, olds, news) {
      seen.requireAllBefore(news);
      if (!isKnown(news["run"], news["declared"])) return { changes: true };
      const stored = storedIn(olds);
      const planned = planEntries(askedIn(news), stored);
      const before = stored.run === news["run"] ? undefined : stored;
      seen.planned.set(rowOf(news), { ...planned, incidentAt: incidentIn(news), before });
      const isSameList = Object.keys(stored.entries).join("\n") === Object.keys(planned.entries).join("\n");
      return { changes: stored.run !== news["run"] || !isSameList || !Object.values(planned.entries).every(isMade) };
    },

    async create(inputs) {
      seen.requireAllBefore(inputs);
      return { id: `intent-${randomUUID()}`, outs: await intentOutputs(planProcess, inputs, deleted.of(inputs)) };
    },

    async update(_id, olds, news) {
      seen.requireAllBefore(news);
      return { outs: await intentOutputs(planProcess, news, olds) };
    },

    read: deleted.read,
    delete: deleted.delete,
  };
}

const isMade = ({ mark }: Entry): boolean => mark !== notMade;

function formsIn({ declared }: Properties): Readonly<Record<string, Form>> {
  const forms = entriesOf(parsedText(declared)).map(([name, stored]) => {
    return [name, required(readForm(stored), `the restore ${name}`)] as const;
  });
  return Object.fromEntries(forms);
}

const incidentIn = ({ incidentAt }: Properties): string | undefined =>
  isKnown(incidentAt) ? readText(incidentAt) : undefined;

export function askedIn(inputs: Properties): Asked {
  const { run, incidentAt } = inputs;
  return {
    run: readText(run) ?? "",
    forms: formsIn(inputs),
    incidentAt: isKnown(incidentAt) ? readText(incidentAt) : knownLater,
  };
}

/** Reads the stored text. Unreadable text must not be mistaken for missing text, or everything would be requested again. */
function storedIn(outputs: Properties): { readonly run: string | undefined } & IntentText {
  const { run, restores } = outputs;
  if (restores === undefined) return { run: undefined, entries: {}, marks: {} };
  return { run: readText(run), ...required(readIntentText(restores), "the stored entries of this intent") };
}

async function intentOutputs(planProcess: PlanProcess, inputs: Properties, before: Properties): Promise<Properties> {
  const asked = askedIn(inputs);
  const stored = storedIn(before);
  const { entries, ...more } = planEntries(asked, stored);
  const row = rowOf(inputs);
  const isNew = !Object.values(entries).every(isMade);
  if (isNew) requireCheckpoints(nameInUrn(row));
  // A mark that is older than every restore requested now.
  const mark = isNew ? await takeMark(planProcess.session()) : undefined;
  const key = randomBytes(4).toString("base64url");
  const all = await Promise.all(
    Object.entries(entries).map(async ([name, entry]): Promise<readonly [string, Entry]> => {
      if (isMade(entry)) return [name, entry];
      const why = planProcess.whyNotAllowed(entry.machine);
      if (why !== undefined) throw new MessageError({ what: `${name}: ${why}`, next: howToAllow, help: "machines" });
      const chosen = await chosenPointOf(entry, asked.incidentAt, planProcess.listAccess(), (warning) => {
        planProcess.engineLog.warn(row, `${name}: ${warning}`);
      });
      return [name, { ...entry, mark: key, ...(chosen && { chosen }) }];
    }),
  );
  const made: PlannedWave = { entries: Object.fromEntries(all), ...more };
  const marks: Record<string, EntryMark> = mark === undefined ? {} : { [key]: { ...mark, process: planProcess.id } };
  for (const one of allAskedIn(made)) {
    const known = stored.marks[one.mark];
    if (known !== undefined) marks[one.mark] = known;
  }
  return { ...ownOf(inputs), run: asked.run, restores: JSON.stringify({ ...made, marks } satisfies IntentText) };
}

/** The point is chosen once, so a newer backup does not change an entry. */
export async function chosenPointOf(
  { machine, point }: Form,
  incidentAt: string | undefined,
  access: PointAccess,
  warn: (text: string) => void,
): Promise<ChosenPoint | undefined> {
  if (typeof point === "string") return undefined;
  const inputs = omitUndefined<Properties>({ virtualMachineId: machine, recoveryPoint: point, incidentAt });
  const found = await choosePoint(inputs, access);
  if (found === undefined || !("recoveryPointId" in found)) return undefined;
  const { recoveryPointTakenAt: takenAt, listed, fitted, warnings, incidentAt: instead } = found.choice;
  warnings.forEach(warn);
  return omitUndefined<ChosenPoint>({ id: found.recoveryPointId, takenAt, listed, fitted, incidentAt: instead });
}
