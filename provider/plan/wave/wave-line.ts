import { elapsed } from "../../time/elapsed";

/** Where one restore of a wave is. `unseen`: nobody waits any more, and whether it has ended is not known. */
export type StepPhase = "waiting" | "checking" | "good" | "bad" | "unseen";

const namesShown = 3;

/** The one line of a wave: `38 of 40 ended, 1 failed, longest 14m; waiting for db and web`. */
export function waveLine(phases: ReadonlyMap<string, StepPhase>, longestMs: number): string {
  const named = (phase: StepPhase): readonly string[] =>
    [...phases].flatMap(([name, current]) => (current === phase ? [name] : []));
  const phasesInOrder = ["waiting", "checking", "good", "bad", "unseen"] as const;
  const [waiting, checking, good, bad, unseen] = phasesInOrder.map(named) as [
    readonly string[],
    readonly string[],
    readonly string[],
    readonly string[],
    readonly string[],
  ];
  const ended = `${String(good.length + bad.length)} of ${String(phases.size)} ended`;
  const failed = bad.length === 0 ? "" : `, ${String(bad.length)} failed`;
  const open = [
    listed("waiting for", waiting),
    listed("checking", checking),
    listed("not seen to end:", unseen),
  ].filter((text) => text !== "");
  return `${ended}${failed}, longest ${elapsed(longestMs)}${open.length === 0 ? "" : `; ${open.join(", ")}`}`;
}

function listed(what: string, names: readonly string[]): string {
  if (names.length === 0) return "";
  if (names.length <= namesShown) return `${what} ${names.join(", ").replace(/, (?=[^,]*$)/, " and ")}`;
  return `${what} ${String(names.length)}`;
}
