import type { TransportResponse } from "../../../provider/panel/transport";
import type { Format } from "../../../provider/panel/types";

/** How a panel gives the list of a machine's recovery points: every way that its interface leaves open. */
export interface PointPanel {
  /** Rows of a page where no size is asked for. */
  readonly pageSize: number;
  /** The most rows of a page whose size is asked for. */
  readonly cap: number;
  /** Whether the cap holds for the default size too. */
  readonly capsDefault: boolean;
  /**
   * What paths do: name a page and its size, or one of the two; nothing, and the answer is that of the path without them; or there are no such
   * paths. *whole*: every answer is the whole list. *first page*: every answer is the first page, and no query helps.
   */
  readonly path: "paged" | "numbers" | "sizes" | "ignored" | "missing" | "whole" | "first page";
  /** What a path with both does. */
  readonly together: "both" | "number" | "size" | "neither" | "missing";
  /** Whether `?page=…&per_page=…` does anything. */
  readonly query: "paged" | "ignored";
  readonly pastEnd: "empty" | "last page" | "first page" | "404";
  readonly total?: "told" | "rows of the page" | "one more";
}

export interface ListedRow {
  readonly id: string;
  readonly at: string;
}

interface Asked {
  readonly page?: number;
  readonly perPage?: number;
}

const listPath = /^\/virtual_machines\/42\/backups\/recovery_points\.(json|xml)(\/[^?]*)?(?:\?(.*))?$/;

/** The panel's answer to a request for these rows, in the order in which it lists them. */
export function listingOf(rows: readonly ListedRow[], panel: PointPanel, path: string): TransportResponse {
  const [, format = "json", suffix, query] = listPath.exec(path) ?? [];
  const missing: TransportResponse = { status: 404, headers: {}, body: '{"errors":["Resource not found"]}' };
  const asked = suffix === undefined ? byQuery(query, panel) : byPath(suffix, panel);
  if (asked === undefined) return missing;
  const slice = panel.path === "whole" || isUnpaged(panel) ? rows : sliceOf(rows, asked, panel);
  if (slice === undefined) return missing;
  const total = panel.total && { told: rows.length, "rows of the page": slice.length, "one more": rows.length + 1 };
  return {
    status: 200,
    headers: {
      date: new Date(panelNow).toUTCString(),
      ...(panel.total !== undefined && total !== undefined && { "X-Total": String(total[panel.total]) }),
    },
    body: bodyOf(slice, format as Format),
  };
}

export const panelNow = Date.parse("2026-11-22T12:00:00Z");

/** Nothing that is asked changes anything: the list can only be whole. */
function isUnpaged({ path, query }: PointPanel): boolean {
  return (path === "ignored" || path === "missing") && query === "ignored";
}

function byPath(suffix: string, { path, together }: PointPanel): Asked | undefined {
  const numberIn = (name: string): number | undefined => {
    const found = new RegExp(`/${name}/(\\d+)`).exec(suffix)?.[1];
    return found === undefined ? undefined : Number(found);
  };
  const [page, perPage] = [numberIn("page"), numberIn("per_page")];
  const only = { ...(page !== undefined && { page }), ...(perPage !== undefined && { perPage }) };
  switch (path) {
    case "missing":
      return undefined;
    case "ignored":
    case "whole":
    case "first page":
      return {};
    case "numbers":
      return page === undefined ? {} : { page };
    case "sizes":
      return perPage === undefined ? {} : { perPage };
    case "paged":
      if (page === undefined || perPage === undefined) return only;
      return { both: only, number: { page }, size: { perPage }, neither: {}, missing: undefined }[together];
  }
}

function byQuery(query: string | undefined, { path, query: does }: PointPanel): Asked {
  const given = new URLSearchParams(does === "paged" && path !== "first page" ? query : "");
  const [page, perPage] = [given.get("page"), given.get("per_page")];
  return { ...(page !== null && { page: Number(page) }), ...(perPage !== null && { perPage: Number(perPage) }) };
}

function sliceOf(
  rows: readonly ListedRow[],
  { page = 1, perPage }: Asked,
  { pageSize, cap, capsDefault, pastEnd }: PointPanel,
): readonly ListedRow[] | undefined {
  const size = perPage === undefined ? Math.min(pageSize, capsDefault ? cap : pageSize) : Math.min(perPage, cap);
  const last = Math.max(1, Math.ceil(rows.length / size));
  const shown = { empty: page, "last page": Math.min(page, last), "first page": page > last ? 1 : page, "404": page };
  if (pastEnd === "404" && page > last) return undefined;
  const from = (shown[pastEnd] - 1) * size;
  return rows.slice(from, from + size);
}

function bodyOf(rows: readonly ListedRow[], format: Format): string {
  if (format === "json")
    return JSON.stringify(
      rows.map(({ id, at }) => ({ recovery_point: { id: Number(id), state: "built", created_at: at } })),
    );
  const points = rows.map(
    ({ id, at }) =>
      `<recovery_point><id type="integer">${id}</id><state>built</state><created_at type="datetime">${at}</created_at></recovery_point>`,
  );
  return `<?xml version="1.0"?><recovery_points type="array">${points.join("")}</recovery_points>`;
}
