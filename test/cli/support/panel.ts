import assert from "node:assert/strict";
import { readSettings, type Settings } from "../../../provider/inputs/settings";
import type { Clock } from "../../../provider/plain/clock";
import type { Transport, TransportResponse } from "../../../provider/panel/transport";
import type { SmallPanel } from "../../small-panels/panel";
import { asSent } from "../../small-panels/stage";

export const address = "https://panel.example.com";
export const now = Date.parse("2026-11-21T11:00:00Z");

type Row = Readonly<Record<string, unknown>>;

/** What a panel holds: its list newest first, and the log and the recovery points of each machine that it knows. */
export interface Held {
  readonly rows: readonly Row[];
  readonly machines?: Readonly<
    Record<string, { readonly log?: readonly Row[]; readonly points?: readonly Row[] | number }>
  >;
  /** A status for each path that matches. */
  readonly refuse?: readonly (readonly [path: RegExp, status: number])[];
}

export interface Asked {
  readonly transport: Transport;
  readonly paths: string[];
}

/** A panel that holds just that, and fails a test that sends anything but GETs. */
export function panelOf({ rows, machines = {}, refuse = [] }: Held): Asked {
  const paths: string[] = [];
  const answer = (status: number, body: unknown): TransportResponse => ({
    status,
    headers: { "content-type": "application/json", date: new Date(now).toUTCString() },
    body: JSON.stringify(body),
  });
  return {
    paths,
    transport: ({ method, path }) => {
      assert.equal(method, "GET");
      paths.push(path);
      const refused = refuse.find(([pattern]) => pattern.test(path));
      if (refused !== undefined) return Promise.resolve(answer(refused[1], { errors: ["refused"] }));
      const [, page = "1"] = /\/page\/(\d+)/.exec(path) ?? [];
      const [, size = "10"] = /\/per_page\/(\d+)/.exec(path) ?? [];
      const from = (Number(page) - 1) * Number(size);
      if (path.startsWith("/transactions.json"))
        return Promise.resolve(answer(200, rows.slice(from, from + Number(size))));
      const machine = machines[/^\/virtual_(?:machines|servers)\/([^/]+)/.exec(path)?.[1] ?? ""];
      if (machine === undefined) return Promise.resolve(answer(404, { errors: ["no such machine"] }));
      const listed = path.includes("/logs") ? (machine.log ?? []) : (machine.points ?? []);
      return Promise.resolve(
        typeof listed === "number" ? answer(listed, {}) : answer(200, listed.slice(from, from + Number(size))),
      );
    },
  };
}

/** A small panel of `test/small-panels`, that is only read. */
export function readingOnly(panel: SmallPanel, clock: Pick<Clock, "wallTime">): Asked {
  const paths: string[] = [];
  return {
    paths,
    transport: async ({ method, path, headers, body = "" }) => {
      assert.equal(method, "GET");
      paths.push(path);
      return asSent(await panel.answer({ method, path, headers, body }), clock.wallTime());
    },
  };
}

/** Settings by their names, as texts. */
export function settingsOf(texts: Readonly<Record<string, string>> = {}): Settings {
  const all: Readonly<Record<string, string>> = {
    endpoint: address,
    username: "restorer",
    password: "s3cret",
    ...texts,
  };
  return readSettings([{ describe: (name) => name, read: (name) => all[name] }]);
}

/** Settings as `settingsOf` has them, of those that a configuration has. */
export const plainNames = (settings: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(settings).map(([key, value]) => [key.replace("recovery:", ""), value]));
