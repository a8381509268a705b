import { deepEqual, isObject, type Properties } from "../../provider/plain/plain";
import type { PlanText, PlanWave } from "../judge/stored";

const longestValue = 200;

/** Parts that may hold secrets: only the fact that they changed is reported. */
const unshown = /\.(?:checks|triggers)$/;

/** The changes of a plan, in sentences: `waves.data.db.point was 1008, is 1007`. */
export function differencesOf(was: PlanText, is: PlanText): readonly string[] {
  const found: string[] = [];
  compare(byName(was), byName(is), "", found);
  for (const wave of is.waves)
    found.push(
      ...changedOrder(
        was.waves.find(({ name }) => name === wave.name),
        wave,
      ),
    );
  return found;
}

/** Waves and restores by their names. The order of waves counts. */
function byName({ waves, ...others }: PlanText): Properties {
  return {
    ...others,
    order: waves.map(({ name }) => name).join(", "),
    waves: Object.fromEntries(waves.map(({ name, restores }) => [name, restores])),
    waveGoals: Object.fromEntries(waves.map(({ name, goals }) => [name, goals])),
  };
}

/** The restores of one machine in one wave are carried out in the order of the program. */
function changedOrder(was: PlanWave | undefined, is: PlanWave): readonly string[] {
  const [before, now] = [restoresByMachine(was, is), restoresByMachine(is, was)];
  return [...now].flatMap(([machine, names]) => {
    const old = before.get(machine) ?? "";
    return old === names ? [] : [`waves.${is.name}: the order of machine ${machine} was ${old}, is ${names}`];
  });
}

/** For each machine, in order, the restores that have this machine in the other version of the wave too. */
function restoresByMachine(wave: PlanWave | undefined, other: PlanWave | undefined): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name, { machine }] of Object.entries(wave?.restores ?? {})) {
    if (other?.restores[name]?.machine !== machine) continue;
    const before = found.get(machine);
    found.set(machine, before === undefined ? name : `${before}, ${name}`);
  }
  return found;
}

function compare(was: unknown, is: unknown, path: string, found: string[]): void {
  if (deepEqual(was, is)) return;
  if (unshown.test(path)) found.push(`${path} was changed`);
  else if (isObject(was) && isObject(is)) {
    for (const name of new Set([...Object.keys(was), ...Object.keys(is)]))
      compare(was[name], is[name], path === "" ? name : `${path}.${name}`, found);
  } else if (was === undefined) found.push(`${path} was added${isObject(is) ? "" : `: ${shown(is)}`}`);
  else if (is === undefined) found.push(`${path} was taken out${isObject(was) ? "" : `, it was ${shown(was)}`}`);
  else found.push(`${path} was ${shown(was)}, is ${shown(is)}`);
}

function shown(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length <= longestValue ? text : `${text.slice(0, longestValue - 1)}…`;
}
