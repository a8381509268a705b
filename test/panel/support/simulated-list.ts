import { answer, inProcess, type InProcess } from "./clients";
import type { Format } from "../../../provider/panel/types";
import type { PanelClientOptions } from "../../../provider/panel/client";
import { encodeList, logItemNames, transactionNames } from "./wire";

/** How a panel pages; everything that is not documented is a choice. */
export interface Manners {
  /** What `/page/p/per_page/n` does. */
  readonly combined: "honours" | "ignores page" | "ignores per_page" | "ignores both" | "404" | "login page" | "500";
  /** The most rows of any answer. */
  readonly cap: number;
  readonly pastTheEnd: "empty" | "repeats" | "404";
}

interface SimulatedList extends InProcess {
  /** Ids of the list as it stands, newest first. */
  readonly ids: readonly string[];
  /** Paths asked for so far, without the resource. */
  readonly asked: readonly string[];
}

/**
 * A panel that is a list and a way to page it. `arrivals` says how many rows come in before the n-th request is
 * answered.
 */
export function simulatedList(
  manners: Manners,
  total: number,
  options: {
    readonly arrivals?: (request: number) => number;
    readonly format?: Format;
    readonly client?: Partial<PanelClientOptions>;
    readonly idOf?: (place: number) => string;
  } = {},
): SimulatedList {
  const idOf = options.idOf ?? ((place: number) => String(place + 1));
  let newest = total;
  let requests = 0;
  const asked: string[] = [];
  const format = options.format ?? "json";
  const all = (): string[] => Array.from({ length: newest }, (_, index) => idOf(newest - 1 - index));
  const panel = inProcess(
    ({ path }) => {
      newest += options.arrivals?.(requests++) ?? 0;
      const form = /\.(?:json|xml)(\/[^?]*)?/.exec(path)?.[1] ?? "";
      asked.push(form);
      const rows = pageOf(all(), form, manners);
      if (rows === 404) return answer(404, "");
      if (rows === 500) return answer(500, "");
      if (rows === "page") {
        return answer(200, '<html><input type="password"></html>', { "content-type": "text/html" });
      }
      const names = path.includes("/logs.") ? logItemNames : transactionNames;
      return answer(
        200,
        encodeList(
          rows.map((id) => ({ id: /^\d{1,9}$/.test(id) ? Number(id) : id })),
          names,
          format,
        ),
      );
    },
    { format, ...options.client },
  );
  return {
    ...panel,
    get lines() {
      return panel.lines;
    },
    get ids() {
      return all();
    },
    asked,
  };
}

function pageOf(all: readonly string[], form: string, manners: Manners): readonly string[] | 404 | 500 | "page" {
  const page = numberIn(form, "page");
  const perPage = numberIn(form, "per_page");
  if (page === undefined || perPage === undefined) return slice(all, page ?? 1, perPage ?? 10, manners);
  switch (manners.combined) {
    case "honours":
      return slice(all, page, perPage, manners);
    case "ignores page":
      return slice(all, 1, perPage, manners);
    case "ignores per_page":
      return slice(all, page, 10, manners);
    case "ignores both":
      return slice(all, 1, 10, manners);
    case "404":
      return 404;
    case "500":
      return 500;
    case "login page":
      return "page";
  }
}

function slice(
  all: readonly string[],
  page: number,
  perPage: number,
  { cap, pastTheEnd }: Manners,
): readonly string[] | 404 {
  const size = Math.min(perPage, cap);
  const last = Math.max(1, Math.ceil(all.length / size));
  if (page > last && pastTheEnd === "404") return 404;
  const shown = page > last && pastTheEnd === "repeats" ? last : page;
  return all.slice((shown - 1) * size, shown * size);
}

function numberIn(form: string, name: string): number | undefined {
  const found = new RegExp(`/${name}/(\\d+)`).exec(form)?.[1];
  return found === undefined ? undefined : Number(found);
}
