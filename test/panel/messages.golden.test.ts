import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { transactionDecoder } from "../../provider/panel/decode";
import {
  type Exchange,
  panelError,
  type PanelError,
  type PanelErrorKind,
  type SetElsewhere,
} from "../../provider/panel/errors";
import { type ListFields, UnusableRows } from "../../provider/panel/fields";
import * as requests from "../../provider/panel/requests";
import type { ListedPoint, MachineId, Page, PanelClient, RecoveryPointId } from "../../provider/panel/types";
import { type Message, MessageError, messageText, partsOf } from "../../provider/plain/message";
import { choosePoint, PointLists } from "../../provider/points/choose-from-panel";
import { type ListUnavailable, passedOverWarnings, whyNotPicked } from "../../provider/points/messages";
import { type NotPicked, pickByRule } from "../../provider/points/pick-by-rule";
import { toPoints } from "../../provider/points/points";

/**
 * Every message of the panel's errors and of the choice of a recovery point, a case each, to be read as a whole.
 * `UPDATE_GOLDEN=yes` writes the file anew. Each table has one member per case of its union, so a new case without a
 * message here does not compile.
 */

const golden = join(__dirname, "messages.golden.txt");

type Messages = Readonly<Record<string, string>>;

const address = "https://panel.example";
const get: Exchange = { address, method: "GET", path: "/transactions.json/per_page/100" };
const getPoints: Exchange = { ...get, path: "/virtual_machines/42/backups/recovery_points.json" };
const post: Exchange = {
  address,
  method: "POST",
  path: "/virtual_machines/42/backups/recovery_points/1007/restore.json",
};
const said: Exchange = {
  ...post,
  status: 422,
  panelMessages: ["base: the machine is locked", "Backup is being deleted"],
  requestId: "7f3a-11",
};
const status = (code: number, exchange = post): Exchange => ({ ...exchange, status: code });

const inEnvironment: SetElsewhere = {
  username: { variable: "RECOVERY_USERNAME" },
  password: { variable: "RECOVERY_PASSWORD" },
  caFile: { variable: "RECOVERY_CA_FILE" },
};

const panelErrors: Readonly<Record<PanelErrorKind, Readonly<Record<string, PanelError>>>> = {
  credentials: {
    "": panelError("credentials", status(401)),
    "from the environment": panelError("credentials", { ...status(401), setElsewhere: inEnvironment }),
    "of a provider": panelError("credentials", {
      ...status(401),
      setElsewhere: { username: { provider: "the provider dr-site" }, password: { provider: "the provider dr-site" } },
    }),
  },
  forbidden: { "": panelError("forbidden", status(403)) },
  notFound: { "": panelError("notFound", status(404)) },
  invalid: {
    "": panelError("invalid", status(422)),
    "with the panel's words and a request id": panelError("invalid", said),
  },
  refusedRequest: { "": panelError("refusedRequest", status(418)) },
  redirect: {
    "to an address": panelError("redirect", { ...status(302), location: "https://login.example/panel" }),
    "to nowhere": panelError("redirect", status(302)),
  },
  loginPage: { "": panelError("loginPage", status(200, get)) },
  notThePanel: { "": panelError("notThePanel", status(200, get)) },
  certificate: {
    "of itself": panelError("certificate", post, "DEPTH_ZERO_SELF_SIGNED_CERT"),
    "of an authority, whose file is named in the environment": panelError(
      "certificate",
      { ...post, setElsewhere: inEnvironment },
      "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    ),
  },
  nameNotResolved: { "": panelError("nameNotResolved", post, "ENOTFOUND") },
  connection: {
    "that was never made": panelError("connection", post, "ECONNREFUSED", false),
    "that broke after the request": panelError("connection", post, "ECONNRESET", true),
    "with https to another port": panelError("connection", post, "EPROTO", false),
  },
  timeout: {
    "of the connection": panelError("timeout", post, "connect", 10_000),
    "of the first byte": panelError("timeout", post, "firstByte", 27_000),
    "of the whole answer": panelError("timeout", get, "whole", 30_000),
  },
  serverError: { "": panelError("serverError", status(503)) },
  rateLimited: { "": panelError("rateLimited", status(429)) },
  unreadable: { "": panelError("unreadable", status(200, get), "it is not JSON, or is cut off") },
  unusable: unusableLists(),
  tooLarge: { "": panelError("tooLarge", status(200, get), 33_554_432) },
  cutShort: { "": panelError("cutShort", get, 100) },
  notWhole: { "": panelError("notWhole", get, "its rows changed places while it was read") },
  aborted: {
    "before anything was sent": panelError("aborted", post, false),
    "while the answer was awaited": panelError("aborted", post, true),
  },
  unsendable: refusedRequests(),
  // The texts of settings have the other reasons.
  endpoint: {
    "": panelError("endpoint", { address: "the endpoint", method: "-", path: "-" }, "it is not an absolute URL"),
  },
};

/** One case per value that no request can carry. */
function refusedRequests(): Record<string, PanelError> {
  const [machine, point] = ["42" as MachineId, "1007" as RecoveryPointId];
  const attempts: Readonly<Record<string, () => unknown>> = {
    "a machine's id": () => requests.restoreMachine("4/2" as MachineId, point, "json", undefined),
    "a recovery point's id": () => requests.restoreMachine(machine, ".." as RecoveryPointId, "json", undefined),
    "no path": () => requests.restoreFiles(machine, point, [], "json"),
    "a relative path": () => requests.restoreFiles(machine, point, ["etc/hosts"], "json"),
    "a path with control characters": () => requests.restoreFiles(machine, point, ["/etc\n/hosts"], "json"),
    "a page": () => requests.listTransactions({ page: 0 }, "json"),
  };
  return mapped(attempts, (attempt) => {
    const reason = messageThrown(attempt);
    return panelError("unsendable", { address, method: "POST", path: "-" }, reason);
  });
}

function unusableLists(): Record<string, PanelError> {
  const tickets = ["green", "amber", "green"].map((lamp, n) => ({ ticket_no: 4711 + n, errand: "backup", lamp }));
  const rows = tickets.map(({ ticket_no: id, lamp: status }) => ({ id, status, vm: 42 }));
  const named = { id: "ticket_no", status: "lamp" };
  const bodies: Readonly<Record<string, readonly [body: unknown, fields?: ListFields]>> = {
    "without ids and statuses": [tickets],
    "without ids": [rows.map(({ status, vm }) => ({ status, vm }))],
    "without statuses": [rows.map(({ id, vm }) => ({ id, target: { vm, "it's": "up" } }))],
    "without names": [[1, 2]],
    "of several": [{ jobs: rows, warnings: rows }],
    "without a configured id": [tickets, { ...named, id: "ticket" }],
    "without a configured status in two fields": [tickets, { ...named, status: ["state", "result.word"] }],
    "without a configured machine": [tickets, { ...named, machine: "target.id" }],
    "with a configured id that several rows share": [tickets, { ...named, id: "errand" }],
    "elsewhere than configured": [{ jobs: rows }, { list: "tasks" }],
  };
  return mapped(bodies, ([body, fields]) => {
    try {
      transactionDecoder(fields)(JSON.stringify(body), "json");
    } catch (error) {
      if (error instanceof UnusableRows)
        return panelError(
          "unusable",
          { ...status(200, get), ...(error.fieldNames !== undefined && { names: error.fieldNames }) },
          error.message,
          error.advice,
        );
    }
    throw new Error("it was usable");
  });
}

const now = Date.parse("2026-11-21T08:00:00Z");
const row = (id: string, createdAt?: string, state?: string): ListedPoint => ({
  id: id as RecoveryPointId,
  fields: {},
  ...(createdAt !== undefined && { createdAt }),
  ...(state !== undefined && { state }),
});
const pageOf = (
  items: readonly ListedPoint[],
  skipped = 0,
  panelTime: number | undefined = now,
): Page<ListedPoint> => ({ items, skipped, ...(panelTime !== undefined && { panelTime }) });
const listOf = (...args: Parameters<typeof pageOf>) => toPoints(pageOf(...args), []);

const built = row("1007", "2026-11-21T02:00:00Z", "built");
const older = row("1003", "2026-11-14T02:00:00Z", "built");
const pending = row("1009", "2026-11-21T07:30:00Z", "pending");
const untimed = row("1008", "2026-11-21 05:00", "built");

const future = row("1010", "2027-11-21T05:00:00Z", "built");

type Reason = (NotPicked & { readonly now?: number }) | ListUnavailable;
const error = panelError("notFound", status(404, getPoints)).parts;

const reasons: { readonly [Kind in Reason["kind"]]: Reason & { readonly kind: Kind } } = {
  "no list": { kind: "no list", error },
  forbidden: { kind: "forbidden", error: panelError("forbidden", status(403, getPoints)).parts },
  unread: { kind: "unread", error: panelError("serverError", status(503, getPoints)).parts },
  "other machines": { kind: "other machines", machines: ["43", "44"] },
  "no points": { kind: "no points" },
  "no ids": { kind: "no ids", rows: 3 },
  "none usable": { kind: "none usable", points: listOf([pending]).points, now },
  "no times": { kind: "no times", points: listOf([untimed]).points, now },
  "no clock": { kind: "no clock" },
  "none fits": notPicked("2026-11-10T00:00:00Z"),
  "only future": { kind: "only future", points: listOf([future]).points as never, now },
  "not whole": {
    kind: "not whole",
    error: panelError("notWhole", status(200, getPoints), "it continues after 10000 rows").parts,
  },
};

/** As the choice of a point says it. */
function notChosen(why: Reason): Message {
  const { what, ...others } = whyNotPicked(why);
  return { what: `no recovery point of machine 42 was chosen (the newest): ${what}`, ...others };
}

function notPicked(before: string): Extract<NotPicked, { readonly kind: "none fits" }> & { readonly now: number } {
  const found = pickByRule(listOf([built, older]), { pick: "newest", before }, () => 0);
  assert.ok(found.kind === "none fits");
  return { ...found, now };
}

const passedOver: Messages = mapped(
  {
    "points that cannot be restored": listOf([pending, built]),
    "points without a time": listOf([untimed, built]),
    "points without an id": listOf([built], 2),
    "points of the future": listOf([future, built]),
  },
  (list) => {
    const found = pickByRule(list, { pick: "newest" }, () => 0);
    assert.ok(found.kind === "chosen");
    return passedOverWarnings(found, list).join("\n");
  },
);

describe("the messages of the panel and of recovery points", () => {
  it("are the ones that were read", async () => {
    const cases: Messages = {
      ...flattened(panelErrors),
      ...prefixed(
        "no recovery point",
        mapped(reasons, (why) => messageText(notChosen(why))),
      ),
      "no recovery point, as a program shows it": await refusal(),
      ...prefixed("recovery point, warning", passedOver),
    };
    const text = Object.entries(cases)
      .map(([name, message]) => `## ${name}\n${message}\n`)
      .join("\n");
    if (process.env["UPDATE_GOLDEN"] === "yes") writeFileSync(golden, text);
    assert.equal(text, readFileSync(golden, "utf8"));
  });
});

async function refusal(): Promise<string> {
  const client: Pick<PanelClient, "listRecoveryPoints"> = { listRecoveryPoints: () => Promise.resolve(pageOf([])) };
  const request = { machine: "42" as MachineId, rule: { pick: "newest" as const, within: 86_400 }, stateWords: [] };
  const error: unknown = await choosePoint(request, new PointLists(client), () => 0).catch((caught: unknown) => caught);
  assert.ok(error instanceof MessageError);
  return error.message;
}

function messageThrown(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  throw new Error("nothing was thrown");
}

function flattened(table: Readonly<Record<string, Readonly<Record<string, Error>>>>): Messages {
  return Object.assign(
    {},
    ...Object.entries(table).map(([kind, each]) =>
      prefixed(
        kind,
        mapped(each, (error) => messageText(partsOf(error))),
      ),
    ),
  ) as Messages;
}

function prefixed(prefix: string, messages: Messages): Messages {
  return Object.fromEntries(
    Object.entries(messages).map(([name, message]) => [name === "" ? prefix : `${prefix}: ${name}`, message]),
  );
}

function mapped<In, Out>(table: Readonly<Record<string, In>>, change: (value: In) => Out): Record<string, Out> {
  return Object.fromEntries(Object.entries(table).map(([name, value]) => [name, change(value)]));
}
