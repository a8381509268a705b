import { readFileSync } from "node:fs";
import { whyNotAllowed } from "../../provider/inputs/allowed-machines";
import type { Settings } from "../../provider/inputs/settings";
import { PanelError, meansNoSuchPage } from "../../provider/panel/errors";
import { sameRows } from "../../provider/panel/list-page";
import { connectionRedactor, type Redact } from "../../provider/panel/secrets";
import type { MachineId, Page, PanelClient, Transaction } from "../../provider/panel/types";
import type { PagingMemory } from "../../provider/panel/walk";
import type { Clock } from "../../provider/plain/clock";
import { readCertificate, type Certificate } from "./certificate";
import { type Exchange, type ReadOnlyGuard, guardedClient, type PanelReadOptions } from "../parts/guard";
import { asPanelError, type MachineReading, readMachine } from "../parts/read-machine";

/** Everything read from a panel, before it is judged. */
export interface Survey {
  readonly settings: Settings;
  readonly address: string;
  /** Removes the password from the panel's texts. It runs before a text is shortened: half a password would not be recognised. */
  readonly redact: Redact;
  /** This machine's wall clock when the reading began. */
  readonly wallMs: number;
  readonly exchanges: readonly Exchange[];
  readonly certificate?: Certificate;
  readonly list: ReadList;
  /** Absent when the list could not be read. */
  readonly pastEnd?: PastEnd;
  /** Counts rows on which work has begun: earlier there is no log. */
  readonly detailed?: { readonly rows: number; readonly withLog: number } | { readonly error: PanelError };
  readonly machine?: SurveyedMachine;
}

interface ReadList {
  /** Newest first, as listed. */
  readonly rows: readonly Transaction[];
  /** Rows of the first answer. A number other than asked for shows how the panel treats page sizes. */
  readonly firstRows: number;
  readonly skipped: number;
  /** Why the reading stopped. */
  readonly stoppedBy: "enough" | "end" | "requests" | "error";
  readonly error?: PanelError;
  /** The panel's `Date` header. */
  readonly panelMs?: number;
  /** This machine's wall clock at that moment. */
  readonly wallMs: number;
  readonly paging: PagingMemory;
  readonly requests: number;
}

/** A page past the end of the list. `longer`: the list goes on below the page that was read. */
export type PastEnd = "empty" | "repeats" | "begins again" | "refused" | "longer" | "unknown";

/** A machine that may not be restored has not been asked about. */
export type SurveyedMachine = ReadMachine | { readonly id: MachineId; readonly whyNotAllowed: string };

export interface ReadMachine extends MachineReading {
  readonly id: MachineId;
}

interface SurveyScope {
  readonly rows: number;
  readonly machine?: MachineId;
}

/** A check makes no more requests than this, whatever the panel does with page sizes. */
export const maxRequests = 55;
/** The list's share of them. */
const maxListRequests = 38;
/** Past the end of all but very long lists: the panel's own pages have ten rows. */
const pageFarPastEnd = 100_000;

export async function survey(
  settings: Settings,
  wanted: SurveyScope,
  { progress = () => undefined, ...options }: PanelReadOptions,
): Promise<Survey> {
  const { clock, transport } = options;
  const { client, guard, paging } = guardedClient(settings, maxRequests, options);
  const wallMs = clock.wallTime().getTime();
  progress(`Asking ${client.address} (GET only, at most ${String(maxRequests)} requests)`);
  try {
    const certificate = transport === undefined ? await readPanelCertificate(client.address, settings) : undefined;
    const list = await readList(client, guard, {
      settings,
      rows: wanted.rows,
      memory: paging.transactions,
      clock,
      progress,
    });
    const rest =
      list.error !== undefined && list.rows.length === 0
        ? {}
        : await readFurther(client, guard, list, { ...wanted, ...settings }, progress);
    return {
      settings,
      address: client.address,
      redact: connectionRedactor(settings.username, settings.password),
      wallMs,
      exchanges: guard.exchanges,
      ...(certificate !== undefined && { certificate }),
      list,
      ...rest,
    };
  } finally {
    client.close();
  }
}

function readPanelCertificate(
  address: string,
  { caFile, requestTimeoutMs }: Settings,
): Promise<Certificate | undefined> {
  const ca = caFile === undefined ? {} : { ca: readFileSync(caFile, "utf8") };
  return readCertificate(address, { ...ca, limitMs: Math.min(requestTimeoutMs, 10_000) });
}

async function readList(
  client: PanelClient,
  guard: ReadOnlyGuard,
  asked: {
    readonly settings: Settings;
    readonly rows: number;
    readonly memory: PagingMemory;
    readonly clock: Clock;
    readonly progress: (line: string) => void;
  },
): Promise<ReadList> {
  const { settings, memory, progress } = asked;
  const rows: Transaction[] = [];
  let [firstRows, skipped, reportedAt] = [0, 0, 0];
  let first: Page<Transaction> | undefined;
  let wallMs = asked.clock.wallTime().getTime();
  const listSoFar = (until: ReadList["stoppedBy"], error?: PanelError): ReadList => ({
    rows: rows.slice(0, asked.rows),
    firstRows,
    skipped,
    stoppedBy: until,
    wallMs,
    paging: { ...memory },
    requests: guard.exchanges.filter(({ isSent }) => isSent).length,
    ...(first?.panelTime !== undefined && { panelMs: first.panelTime }),
    ...(error !== undefined && { error }),
  });
  try {
    for await (const page of client.walkTransactions({ perPage: settings.pageSize, signal: guard.spent })) {
      if (first === undefined) {
        first = page;
        firstRows = page.items.length + page.skipped;
        wallMs = guard.exchanges.at(-1)?.wallMs ?? wallMs;
      }
      rows.push(...page.items);
      skipped += page.skipped;
      const requests = guard.exchanges.length;
      if (requests >= reportedAt + 10) {
        reportedAt = requests;
        progress(`  ${String(rows.length)} rows of the list in ${String(requests)} requests`);
      }
      if (rows.length >= asked.rows && (isPagingKnown(memory) || requests >= 3)) return listSoFar("enough");
      if (requests >= maxListRequests) return listSoFar("requests");
    }
    await learnPagingOfShortList(client, guard, rows.length, memory);
    return listSoFar("end");
  } catch (error) {
    if (!(error instanceof PanelError)) throw error;
    return guard.spent.aborted ? listSoFar("requests") : listSoFar("error", error);
  }
}

/** A list shorter than a page does not show how the panel pages, but smaller pages may. If they fail, nothing is lost. */
async function learnPagingOfShortList(
  client: PanelClient,
  guard: ReadOnlyGuard,
  rows: number,
  memory: PagingMemory,
): Promise<void> {
  if (isPagingKnown(memory) || rows < 24) return;
  const perPage = rows >> 1;
  const pages = client.walkTransactions({ perPage, signal: guard.spent })[Symbol.asyncIterator]();
  try {
    await pages.next();
    await pages.next();
  } catch (error) {
    if (!(error instanceof PanelError)) throw error;
  } finally {
    await pages.return?.();
  }
}

function isPagingKnown(memory: PagingMemory): boolean {
  return memory.form !== undefined;
}

async function readFurther(
  client: PanelClient,
  guard: ReadOnlyGuard,
  list: ReadList,
  { machine, allowedMachines }: SurveyScope & Pick<Settings, "allowedMachines">,
  progress: (line: string) => void,
): Promise<Pick<Survey, "pastEnd" | "detailed" | "machine">> {
  const options = { signal: guard.spent };
  progress(`  ${String(list.rows.length)} rows read; asking for what lies past the end, and for a log`);
  const pastEnd = await readPastEnd(client, list, options);
  const detailed = await client.listTransactions({ perPage: 3, detailed: true }, options).then(
    ({ items }) => {
      const begun = items.filter(({ startedAt }) => startedAt !== undefined);
      return { rows: begun.length, withLog: begun.filter(({ logOutput = "" }) => logOutput !== "").length };
    },
    (error: unknown) => asPanelError(error, guard),
  );
  if (machine === undefined) return { pastEnd, detailed };
  const why = whyNotAllowed(machine, allowedMachines);
  if (why !== undefined) return { pastEnd, detailed, machine: { id: machine, whyNotAllowed: why } };
  progress(`  asking for the log and the recovery points of machine ${machine}`);
  return { pastEnd, detailed, machine: { id: machine, ...(await readMachine(client, machine, guard)) } };
}

async function readPastEnd(
  client: PanelClient,
  list: ReadList,
  options: { readonly signal: AbortSignal },
): Promise<PastEnd> {
  // Each page holds at least one row, so a list read to its end has no such page.
  const page = list.stoppedBy === "end" ? list.rows.length + list.skipped + 2 : pageFarPastEnd;
  try {
    const there = await client.listTransactions({ page }, options);
    if (there.items.length === 0) return "empty";
    const next = await client.listTransactions({ page: page + 1 }, options);
    if (!sameRows(there, next)) return list.stoppedBy === "end" ? "unknown" : "longer";
    return there.items[0]?.id === list.rows[0]?.id && list.rows.length > there.items.length
      ? "begins again"
      : "repeats";
  } catch (error) {
    if (error instanceof PanelError) return meansNoSuchPage(error) ? "refused" : "unknown";
    throw error;
  }
}
