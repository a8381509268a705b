import { page } from "./page";
import type { Panel } from "../panel/panel";

/** Number of the newest transactions and requests on the page. */
const rowsShown = 60;

/** Answers a GET: the page, its whole content, or one kind of record. */
export function answerQuery(path: string, query: URLSearchParams, panel: Panel, panelUrl: string): ControlAnswer {
  switch (path) {
    case "/":
      return { status: 200, html: page };
    case "/state":
      return { status: 200, json: overview(panel, panelUrl) };
    case "/requests":
      return { status: 200, json: panel.requests() };
    case "/restores":
      return { status: 200, json: panel.restores() };
    case "/transactions":
      return { status: 200, json: panel.transactions() };
    case "/machines":
      return { status: 200, json: panel.machines() };
    case "/accepted-posts":
      return { status: 200, json: { acceptedPosts: panel.acceptedPosts(query.get("machine") ?? undefined) } };
    default:
      return notFoundAnswer(path);
  }
}

function overview(panel: Panel, panelUrl: string): object {
  return {
    url: panelUrl,
    username: panel.username,
    now: panel.clock.now(),
    speed: panel.speed,
    faults: panel.faults(),
    acceptedPosts: panel.acceptedPosts(),
    machines: panel.machines(),
    transactions: panel.transactions().slice(-rowsShown).reverse(),
    requests: panel.requests().slice(-rowsShown).reverse(),
  };
}

export type ControlAnswer =
  { readonly status: number; readonly json: unknown } | { readonly status: 200; readonly html: string };

export function notFoundAnswer(path: string): ControlAnswer {
  return { status: 404, json: { error: `there is nothing at ${path}` } };
}
