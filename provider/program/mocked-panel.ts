import * as pulumi from "@pulumi/pulumi";
import type { ListedPoint, ListedLogItem, Page, PageRequest, PanelClient, ListedTransaction } from "../panel/types";
import { isObject, omitUndefined, own, type Properties } from "../plain/plain";
import type * as rows from "./rows";

/** A row of a list. Only its id is required. */
export type MockRow<Row extends { readonly id: string | undefined }> = Pick<Row, "id"> & Partial<Row>;

/** One list for all machines, or a list for each machine by its id. */
export type MockLists<Row extends { readonly id: string | undefined }> =
  | readonly MockRow<Row>[]
  | Readonly<Record<string, readonly MockRow<Row>[]>>;

/** The lists of a panel that exists only in a program's test. */
export interface MockedLists {
  readonly transactions: readonly MockRow<rows.Transaction>[];
  readonly items: MockLists<rows.LogItem>;
  readonly points: MockLists<Omit<rows.RecoveryPoint, "usable">>;
  /** The panel's clock, in milliseconds since the epoch. */
  readonly now: number;
}

/** The property in which mocks keep the panel that the functions read. A copy of the mocks has this property too. */
export const mockedPanelKey: unique symbol = Symbol.for("pulumi-recovery/testing");

/** The panel of the current mocks. Undefined if there are no mocks, or if they do not come from `pulumi-recovery/testing`. */
export function mockedPanel(): PanelClient | undefined {
  const monitor: unknown = pulumi.runtime.getMonitor();
  const mocks = isObject(monitor) ? (monitor["mocks"] as { readonly [mockedPanelKey]?: PanelClient }) : undefined;
  return mocks?.[mockedPanelKey];
}

/** A panel that lists the given rows and restores nothing. */
export function panelWith({ transactions, items, points, now }: MockedLists): PanelClient {
  const page = <Item>(list: readonly Item[]): Page<Item> => ({ items: list, skipped: 0, panelTime: now });
  const allTransactions = transactions.map(completed) as unknown as readonly ListedTransaction[];
  const itemsOf = (machine: string): readonly ListedLogItem[] =>
    (listFor(items, machine) ?? []).map(completed) as unknown as readonly ListedLogItem[];
  const pointsOf = (machine: string): readonly ListedPoint[] =>
    (listFor(points, machine) ?? []).map(({ takenAt, sizeBytes, ...row }) =>
      completed({ ...row, createdAt: takenAt, size: sizeBytes }),
    ) as unknown as readonly ListedPoint[];
  const restoreNothing = () => Promise.reject(new Error("the mocked panel restores nothing"));
  return {
    address: "the mocked panel",
    listTransactions: (request) => Promise.resolve(page(requestedPart(allTransactions, request))),
    listLogItems: (machine, request) => Promise.resolve(page(requestedPart(itemsOf(machine), request))),
    walkTransactions: () => onePage(page(allTransactions)),
    walkLogItems: (machine) => onePage(page(itemsOf(machine))),
    listRecoveryPoints: (machine) => Promise.resolve(page(pointsOf(machine))),
    restoreMachine: restoreNothing,
    restoreFiles: restoreNothing,
    close: () => undefined,
  };
}

/** A row as the panel's client reads it. */
function completed(row: Properties): Properties {
  return { ...omitUndefined<Record<string, unknown>>(row), fields: row["fields"] ?? {} };
}

/** The list for the machine, if it is given. */
export function listFor<Row extends { readonly id: string | undefined }>(
  lists: MockLists<Row> | undefined,
  machine: string,
): readonly MockRow<Row>[] | undefined {
  return lists === undefined || isList(lists) ? lists : own(lists, machine);
}

const isList = <Row extends { readonly id: string | undefined }>(
  lists: MockLists<Row>,
): lists is readonly MockRow<Row>[] => Array.isArray(lists);

/** The requested page of a list. Without a size, page 1 is the whole list, because a panel's default size would hide rows that the test provides. */
function requestedPart<Row>(list: readonly Row[], { page, perPage }: PageRequest = {}): readonly Row[] {
  const size = perPage ?? list.length;
  const start = ((page ?? 1) - 1) * size;
  return list.slice(start, start + size);
}

async function* onePage<Row>(page: Page<Row>): AsyncGenerator<Page<Row>> {
  yield await Promise.resolve(page);
}
