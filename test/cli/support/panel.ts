import assert from "node:assert/strict";
import type { Transport } from "../../../provider/start";
import { operationOf, type PanelAnswer, type PanelRequest, type SmallPanel } from "../../small-panels/panel";
import { asSent } from "../../small-panels/stage";
import { pageOf } from "../../small-panels/taste";

export const address = "https://panel.example.com";
export const now = Date.parse("2026-11-21T11:00:00Z");

type Row = Readonly<Record<string, unknown>>;

/** The content of a panel: its list, newest first, and each known machine's log and recovery points. */
export interface Held {
  readonly rows: readonly Row[];
  readonly machines?: Readonly<
    Record<string, { readonly log?: readonly Row[]; readonly points?: readonly Row[] | number }>
  >;
  /** The error status for each request whose path matches. */
  readonly refuse?: readonly (readonly [path: RegExp, status: number])[];
  readonly cap?: number;
  readonly isUnpaged?: true;
  readonly dateHeader?: Date | undefined;
}

export interface Asked {
  readonly transport: Transport;
  readonly paths: string[];
}

/** A small panel with exactly this content, which accepts no restores. */
export function holding({ rows, machines = {}, refuse = [], cap = Infinity, ...how }: Held): SmallPanel {
  const answer = (request: PanelRequest): PanelAnswer => {
    const refused = refuse.find(([pattern]) => pattern.test(request.path));
    if (refused !== undefined) return { status: refused[1], body: { errors: ["refused"] } };
    const asked = operationOf(request);
    assert.ok(asked && !("point" in asked), request.path);
    if (asked.what === "transactions") return pageOf(rows, (row) => row, asked, { cap, ...how });
    const machine = machines[asked.machine];
    if (machine === undefined) return { status: 404, body: { errors: ["no such machine"] } };
    const listed = (asked.what === "log" ? machine.log : machine.points) ?? [];
    return typeof listed === "number" ? { status: listed } : pageOf(listed, (row) => row, asked, { cap });
  };
  return { answer, work: () => undefined };
}

export const panelOf = (held: Held): Asked =>
  readingOnly(holding(held), { wallTime: () => ("dateHeader" in held ? held.dateHeader : new Date(now)) });

/** A small panel from `test/small-panels` that fails the test on any request except a GET. */
export function readingOnly(panel: SmallPanel, clock: { readonly wallTime: () => Date | undefined }): Asked {
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

/** The environment variables for the connection, and for any other settings passed by name. */
export function environmentOf(settings: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const all = { endpoint: address, username: "restorer", password: "s3cret", ...settings };
  const variableOf = (key: string): string =>
    `RECOVERY_${key.replace("recovery:", "").replaceAll(/[A-Z]/g, "_$&").toUpperCase()}`;
  return Object.fromEntries(Object.entries(all).map(([key, value]) => [variableOf(key), value]));
}
