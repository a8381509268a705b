import { readId, withoutLeadingZeros } from "../inputs/rules";
import { show } from "../text/show";

/** Which part of a list is asked for; the same for both functions. */
export interface Paging {
  readonly page?: number | undefined;
  readonly perPage?: number | undefined;
  readonly limit?: number | undefined;
}

const largestPerPage = 10_000;
const pagingNames = ["page", "perPage", "limit"] as const;

/** What is wrong with the paging arguments, each problem naming its property. Plain JavaScript and Outputs bring what the types forbid. */
export function pagingProblems(paging: Paging): string[] {
  const problems = pagingNames.flatMap((name) => wholeProblem(name, paging[name]));
  if (paging.limit !== undefined && paging.page !== undefined) {
    problems.push("limit and page were both given: limit counts from the newest, so leave page out");
  }
  return problems;
}

function wholeProblem(name: (typeof pagingNames)[number], value: unknown): string[] {
  if (value === undefined || value === null) return [];
  const largest = name === "perPage" ? largestPerPage : Number.MAX_SAFE_INTEGER;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 1 && value <= largest) return [];
  const allowed = name === "perPage" ? `from 1 to ${String(largestPerPage)}` : "of at least 1";
  return [`${name} is ${show(value)}, but must be a whole number ${allowed}`];
}

export function detailedProblems(detailed: unknown): string[] {
  if (detailed === undefined || detailed === null || typeof detailed === "boolean") return [];
  return [`detailed is ${show(detailed)}, but must be true or false`];
}

const readMachine = withoutLeadingZeros(readId);

export function machineProblems(virtualMachineId: unknown): string[] {
  if (virtualMachineId === undefined || virtualMachineId === null) return ["virtualMachineId is missing"];
  const reading = readMachine(virtualMachineId);
  return "problem" in reading ? [`virtualMachineId${reading.problem}`] : [];
}

/** The arguments without those that were not given. */
export function given<Args extends object>(args: Args): { [Key in keyof Args]?: Exclude<Args[Key], undefined | null> } {
  const entries = Object.entries(args).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(entries) as { [Key in keyof Args]?: Exclude<Args[Key], undefined | null> };
}

/** The arguments as a result repeats them: those that were given; the others read as undefined. */
export function echoed<Args extends object>(args: Args): { [Key in keyof Args]-?: Args[Key] | undefined } {
  return given(args) as { [Key in keyof Args]-?: Args[Key] | undefined };
}
