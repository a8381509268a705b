import { deepEqual, isObject, type Properties } from "../../provider/plain/plain";
import type { PlanText } from "../judge/stored";

/** If the whole plan changed, all differences would fill a page. */
const maxDifferences = 100;
const longestValue = 200;

/** What a program may hold secrets in: only that they were changed is said. */
const unshown = /\.(?:checks|triggers)$/;

/** The changes of a plan, in sentences: `waves.data.db.point was 1008, is 1007`. */
export function differencesOf(was: PlanText, is: PlanText): readonly string[] {
  const found: string[] = [];
  compare(byName(was), byName(is), "", found);
  return found.length <= maxDifferences
    ? found
    : [...found.slice(0, maxDifferences), `${String(found.length - maxDifferences)} more`];
}

/** The restores of which only secrets were changed, such as the headers of a check. */
export function changedSecrets(was: unknown, is: unknown, shown: readonly string[]): readonly string[] {
  if (!isObject(was) || !isObject(is)) return [];
  return [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .filter(
      (name) =>
        !deepEqual(was[name], is[name]) &&
        !shown.some((text) => (text.split(/[ :]/)[0] ?? "").split(".").includes(name)),
    )
    .map((name) => `what the checks of ${name} send was changed`);
}

/** Waves and restores by their names. Their order counts. */
function byName({ waves, ...others }: PlanText): Properties {
  return {
    ...others,
    order: waves.map(({ name }) => name).join(", "),
    waves: Object.fromEntries(waves.map(({ name, restores }) => [name, restores])),
    waveGoals: Object.fromEntries(waves.map(({ name, goals }) => [name, goals])),
  };
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
