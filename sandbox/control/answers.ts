import { readFaults } from "../dialect/faults";
import type { ControlledPanel, SandboxPanel } from "../panel/panel";
import * as shapes from "../panel/scenario";

/** How many of the newest transactions and requests the page shows. */
const rowsShown = 60;

const queries: Readonly<Record<string, (panel: ControlledPanel, query: URLSearchParams, panelUrl: string) => unknown>> =
  {
    "/requests": (panel) => panel.requests(),
    "/restores": (panel) => panel.restores(),
    "/transactions": (panel) => panel.transactions(),
    "/machines": (panel) => panel.machines(),
    "/accepted-posts": (panel, query) => ({ acceptedPosts: panel.acceptedPosts(query.get("machine") ?? undefined) }),
    "/state": (panel, _, url) => ({
      url,
      username: panel.username,
      now: panel.clock.now(),
      speed: panel.speed,
      faults: panel.faults(),
      acceptedPosts: panel.acceptedPosts(),
      machines: panel.machines(),
      transactions: panel.transactions().slice(-rowsShown).reverse(),
      requests: panel.requests().slice(-rowsShown).reverse(),
    }),
  };

/** If the body has a wrong shape, the action throws an error that names the wrong key. */
const actions: Readonly<Record<string, (panel: SandboxPanel, body: unknown) => unknown>> = {
  "/machines": (panel, body) => {
    panel.addMachine(shapes.machine(body, ""));
  },
  "/recovery-points": (panel, body) => {
    const { machineId, ...point } = shapes.newPoint(body, "");
    return { id: panel.addRecoveryPoint(machineId, point) };
  },
  "/transactions": (panel, body) => ({ id: panel.addTransaction(shapes.transaction(body, "")) }),
  "/restores": (panel, body) => {
    const { machineId, recoveryPointId, ...options } = shapes.foreignRestore(body, "");
    return { id: panel.postRestoreAsSomebodyElse(machineId, recoveryPointId, options) };
  },
  "/next-restore": (panel, body) => {
    const { machineId, ...next } = shapes.nextRestore(body, "");
    panel.failNext(machineId, next);
  },
  "/faults": (panel, body) => {
    panel.setFaults(readFaults(body, "faults"));
    return panel.faults();
  },
};

export interface ControlAnswer {
  readonly status: number;
  readonly json: unknown;
}

/** Answers a GET with everything that the page shows, or with one kind of record. */
export function answerQuery(
  path: string,
  query: URLSearchParams,
  panel: ControlledPanel,
  panelUrl: string,
): ControlAnswer {
  const find = queries[path];
  return find === undefined ? nothingAt(path) : { status: 200, json: find(panel, query, panelUrl) };
}

/** Runs an action on the panel and its cloud. */
export function runAction(path: string, body: unknown, panel: SandboxPanel): ControlAnswer {
  const ended = /^\/transactions\/([^/]+)\/end$/.exec(path)?.[1];
  if (ended !== undefined) {
    panel.endTransaction(ended, shapes.ending(body, "").outcome);
    return { status: 200, json: {} };
  }
  const act = actions[path];
  return act === undefined ? nothingAt(path) : { status: 200, json: act(panel, body) ?? {} };
}

function nothingAt(path: string): ControlAnswer {
  return { status: 404, json: { error: `there is nothing at ${path}` } };
}
