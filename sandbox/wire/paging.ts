import type { Dialect } from "../dialect/dialect";
import type { PageRequest } from "./route";

interface PageSlice {
  readonly page: number;
  readonly size: number;
  readonly offset: number;
}

/** Protects the sandbox: a page is built in memory. */
const maxRows = 10_000;

/** The rows that a request gets of a list of `total`; undefined if the panel has no such path or page. */
export function pageSlice(
  request: PageRequest,
  total: number,
  dialect: Dialect,
  defaultSize: number,
): PageSlice | undefined {
  const asked = honouredPaging(request, dialect);
  if (asked === undefined) return undefined;
  const size = Math.min(asked.perPage ?? defaultSize, dialect.pageCap ?? maxRows, maxRows);
  const last = Math.max(1, Math.ceil(total / size));
  const wanted = asked.page ?? 1;
  if (wanted > last && dialect.pastEnd === "notFound") return undefined;
  const page = dialect.pastEnd === "repeatLast" ? Math.min(wanted, last) : wanted;
  return { page, size, offset: (page - 1) * size };
}

function honouredPaging(request: PageRequest, dialect: Dialect): Omit<PageRequest, "form"> | undefined {
  const { form, page, perPage } = request;
  if (form === "query") return dialect.queryPaging === "both" ? request : {};
  if (page === undefined || perPage === undefined) return request;
  switch (dialect.combinedPaging) {
    case "both":
      return request;
    case "ignorePage":
      return { perPage };
    case "ignorePerPage":
      return { page };
    case "ignoreBoth":
      return {};
    case "notFound":
      return undefined;
  }
}
