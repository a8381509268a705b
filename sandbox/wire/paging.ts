import type { Dialect } from "../dialect/dialect";
import type { PageRequest } from "./route";

interface PageSlice {
  readonly page: number;
  readonly size: number;
  readonly offset: number;
}

const defaultSize = 10;
/** Protects the sandbox: a page is built in memory. */
const maxRows = 10_000;

type PagingStyle = Pick<Dialect, "pageCap" | "pastEnd" | "combinedPaging" | "queryPaging">;

/** The rows that a request gets of a list of `total`; undefined if the panel has no such path or page. */
export function pageSlice(request: PageRequest, total: number, style: PagingStyle): PageSlice | undefined {
  const asked = honouredPaging(request, style);
  if (asked === undefined) return undefined;
  const size = Math.min(asked.perPage ?? defaultSize, style.pageCap ?? maxRows, maxRows);
  const last = Math.max(1, Math.ceil(total / size));
  const wanted = asked.page ?? 1;
  if (wanted > last && style.pastEnd === "notFound") return undefined;
  const page = style.pastEnd === "repeatLast" ? Math.min(wanted, last) : wanted;
  return { page, size, offset: (page - 1) * size };
}

function honouredPaging(request: PageRequest, style: PagingStyle): Omit<PageRequest, "form"> | undefined {
  if (request.form === "query") return style.queryPaging === "both" ? request : {};
  if (request.page === undefined || request.perPage === undefined) return request;
  switch (style.combinedPaging) {
    case "both":
      return request;
    case "ignorePage":
      return { perPage: request.perPage };
    case "ignorePerPage":
      return { page: request.page };
    case "ignoreBoth":
      return {};
    case "notFound":
      return undefined;
  }
}
