import { type Settings, whyNotAllowed } from "../../provider/inputs/settings";
import { shownNames } from "../../provider/panel/fields";
import { meansNoSuchPage, PanelError } from "../../provider/panel/errors";
import { sizeRefusals } from "../../provider/panel/list-page";
import type {
  MachineId,
  Page,
  PanelClient,
  Row,
  ListedTransaction,
  TransactionPageRequest,
} from "../../provider/panel/types";
import { type TimedExchange, guardedClient, type PanelReadOptions, type ReadOnlyGuard } from "../parts/guard";
import { type MachineReading, readMachine } from "../parts/read-machine";
import { setFields } from "../../provider/plain/text";
import type { CheckFinding } from "./result";

/** Everything read from a panel, before it is judged. */
export interface Survey {
  readonly settings: Settings;
  readonly address: string;
  readonly wallMs: number;
  readonly exchanges: readonly TimedExchange[];
  /** Why the list could not be read. */
  readonly error?: PanelError;
  /** Absent if there is an error. */
  readonly list?: SurveyedList;
  readonly machine?: SurveyedMachine;
}

export interface SurveyedList {
  /** All rows that were read, newest first and without duplicates. */
  readonly rows: readonly Row[];
  /** The top of the list, read with the first page size that the panel accepted. */
  readonly top: Answer;
  /** The page sizes that the panel rejected. */
  readonly refusedSizes: readonly number[];
  /** A page of a thousand rows. Absent if the top already had fewer rows than requested. */
  readonly thousand?: Answer | PanelError;
  /** The first two pages of ten. */
  readonly pages: readonly [Answer | PanelError, Answer | PanelError];
  readonly detailed: Answer | PanelError;
}

interface Answer extends Page<ListedTransaction> {
  /** The requested number of rows. */
  readonly size: number;
}

/** A machine that may not be restored is not looked up. */
type SurveyedMachine =
  | (MachineReading & { readonly id: MachineId })
  | { readonly id: MachineId; readonly whyNotAllowed: string };

/** The maximum number of requests that a check sends. */
const maxRequests = 55;
const pageLength = 10;

export async function survey(
  settings: Settings,
  { machine }: { readonly machine?: MachineId },
  { progress, ...options }: PanelReadOptions & { readonly progress: (line: string) => void },
): Promise<Survey> {
  const { client, guard } = guardedClient(settings, maxRequests, options);
  const common = {
    settings,
    address: client.address,
    wallMs: options.clock.wallTime().getTime(),
    exchanges: guard.exchanges,
  };
  progress(`Querying ${client.address} (GET only, at most ${String(maxRequests)} requests)`);
  try {
    const list = await readList(client, settings.pageSize, guard);
    if (list instanceof PanelError) return { ...common, error: list };
    if (machine === undefined) return { ...common, list };
    const why = whyNotAllowed(machine, settings.allowedMachines);
    if (why !== undefined) return { ...common, list, machine: { id: machine, whyNotAllowed: why } };
    progress(`  reading the log and recovery points of machine ${machine}`);
    return { ...common, list, machine: { id: machine, ...(await readMachine(client, machine, guard)) } };
  } finally {
    client.close();
  }
}

/** Sends one request of each kind that the provider uses to read a list. */
async function readList(
  client: PanelClient,
  pageSize: number,
  guard: ReadOnlyGuard,
): Promise<SurveyedList | PanelError> {
  const ask = async (request: TransactionPageRequest, size: number): Promise<Answer | PanelError> => {
    try {
      return { ...(await client.listTransactions(request, { isExact: true })), size };
    } catch (error) {
      return guard.explain(error);
    }
  };
  const refusedSizes: number[] = [];
  let top: Answer | PanelError | undefined;
  for (const size of [...new Set([pageSize, 50, 20])].filter((one) => one <= pageSize)) {
    top = await ask({ perPage: size }, size);
    if (!(top instanceof PanelError) || !sizeRefusals.includes(top.status)) break;
    refusedSizes.push(size);
    top = undefined;
  }
  top ??= await ask({}, pageLength);
  if (top instanceof PanelError) return top;
  const pages = [await ask({ page: 1 }, pageLength), await ask({ page: 2 }, pageLength)] as const;
  const isLong = top.items.length >= top.size;
  const thousand = isLong ? await ask({ perPage: 1_000 }, 1_000) : undefined;
  const detailed = await ask({ perPage: Math.min(top.size, 3), detailed: true }, 3);
  const all = [thousand, top, ...pages].flatMap((one) =>
    one === undefined || one instanceof PanelError ? [] : one.items,
  );
  const rows = [...new Map(all.map(({ id, facts }) => [id, facts])).values()];
  return { rows, top, refusedSizes, pages, detailed, ...(thousand && { thousand }) };
}

/** How a panel pages its list. */
export type Paging =
  /** All rows fit on one page. */
  | "one page"
  | "pages"
  /** `/page/2` repeats the top, so rows further down cannot be read. */
  | "none"
  | "refused";

export function pagingOf({ top, pages: [first, second] }: SurveyedList): Paging {
  if (second instanceof PanelError)
    return top.items.length < pageLength || meansNoSuchPage(second) ? "one page" : "refused";
  if (second.items.length === 0) return "one page";
  const shown = new Set((first instanceof PanelError ? top : first).items.map(({ id }) => id));
  return second.items.every(({ id }) => shown.has(id)) ? "none" : "pages";
}

/** Advice to name a field in the settings. If rows have only an id and a status, there is no field to name. */
export function naming(
  {
    top: {
      items: [row],
    },
  }: SurveyedList,
  what: string,
  field: string,
  { fields }: Settings,
): Pick<CheckFinding, "then" | "set"> {
  const has = `A row's fields: ${shownNames(row?.fields)}.`;
  const isBare = Object.keys(row?.fields ?? {}).every((name) => /^(id|status|state)$/i.test(name));
  if (isBare) return { then: `${has} There are no other fields: restores work, but with this limit.` };
  const set = [setFields({ ...fields, [field]: "<field>" })];
  return {
    then: `${has} If one of these contains the ${what}, add it to recovery:fields (one line for all fields):`,
    set,
  };
}
