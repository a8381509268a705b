import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { MakePanel, PanelAnswer, PanelRequest, SmallPanel, World } from "./panel";

type Restore = Parameters<World["posted"]>[0];

/** A small panel on a port of this machine, by real time. */
export interface ServedPanel {
  readonly url: string;
  readonly panel: SmallPanel;
  /** The restores that it has accepted, oldest first. */
  readonly restores: readonly Restore[];
  readonly requests: readonly PanelRequest[];
  /** The next restores of a machine fail. */
  fail(machine: string): void;
  mend(machine: string): void;
  stop(): Promise<void>;
}

export async function serve(make: MakePanel, { restoreSeconds = 2 } = {}): Promise<ServedPanel> {
  const restores: Restore[] = [];
  const requests: PanelRequest[] = [];
  const failing = new Set<string>();
  const timers = new Set<NodeJS.Timeout>();
  const after = (ms: number, run: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      run();
    }, ms);
    timers.add(timer);
  };
  const panel = make({
    now: () => Date.now(),
    after,
    pause: (ms) =>
      new Promise((resolve) => {
        after(ms, resolve);
      }),
    restoreSeconds,
    endOf: (machine) => (failing.has(machine) ? "failed" : "complete"),
    posted: (restore) => void restores.push(restore),
  });
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const { method = "", url: path = "" } = incoming;
      const headers = incoming.headers as Record<string, string>;
      const request = { method, path, headers, body: Buffer.concat(chunks).toString() };
      requests.push(request);
      void Promise.resolve(panel.answer(request)).then((answer) => {
        outgoing.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
        outgoing.end(bodyOf(answer));
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    panel,
    restores,
    requests,
    fail: (machine) => void failing.add(machine),
    mend: (machine) => void failing.delete(machine),
    stop: async () => {
      for (const timer of timers) clearTimeout(timer);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function bodyOf({ body }: PanelAnswer): string {
  if (body === undefined) return "";
  return typeof body === "string" ? body : JSON.stringify(body);
}
