import { readFileSync } from "node:fs";
import { join } from "node:path";
import assert from "node:assert/strict";
import Ajv2020 from "ajv/dist/2020";
import type { KnownQuestion } from "../../../cli/parts/known-questions";
import { readDeclaration, type Selection } from "../../../cli/ready/declared";
import { assessReadiness, machinesToRead } from "../../../cli/ready/assess";
import { readPanel, type PanelReading } from "../../../cli/ready/read-panel";
import type { ReadyResult, ReadyRestore } from "../../../cli/ready/result";
import { connectionRedactor } from "../../../provider/panel/secrets";
import type { TransportResponse } from "../../../provider/panel/transport";
import { createSandbox, type PanelOptions, type SandboxPanel } from "../../../sandbox";
import { VirtualClock } from "../../support/virtual-clock";
import { settingsOf } from "./checking";

const schema = JSON.parse(
  readFileSync(join(__dirname, "..", "..", "..", "cli", "ready", "schema", "ready-1.json"), "utf8"),
) as object;
const stamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
export const validate = new Ajv2020({ allErrors: true, formats: { "date-time": stamp } }).compile(schema);

export interface Morning {
  /** What `pulumi stack export` prints, of restores on https://panel.example.com. */
  readonly state: object;
  readonly asked?: Selection;
  readonly panel?: PanelOptions;
  /** What happened on the panel before it is looked at. */
  readonly before?: (panel: SandboxPanel) => unknown;
  readonly settings?: Readonly<Record<string, string>>;
  readonly known?: readonly KnownQuestion[];
  /** What no dialect of the sandbox does. */
  readonly rewrite?: (answer: TransportResponse, path: string) => TransportResponse;
  readonly progress?: (line: string) => void;
}

export interface Found {
  readonly ready: ReadyResult;
  readonly looked: PanelReading;
  readonly paths: readonly string[];
  /** The most requests that were under way at a time. */
  readonly atOnce: number;
  readonly restore: (name: string) => ReadyRestore;
}

/** `ready` over a simulated panel, without sockets; the panel's witness says each time that it was only read. */
export async function readying(morning: Morning): Promise<Found> {
  const clock = new VirtualClock();
  const sandbox = createSandbox({ clock, ...morning.panel });
  await morning.before?.(sandbox);
  const settings = settingsOf({
    endpoint: "https://panel.example.com",
    username: sandbox.username,
    password: sandbox.password,
    ...morning.settings,
  });
  const panel = settings.endpoint;
  const declaration = readDeclaration(morning.state, morning.asked ?? {});
  let [underWay, atOnce] = [0, 0];
  const looked = await clock.run(
    readPanel(settings, machinesToRead(declaration, panel), {
      clock,
      ...(morning.progress !== undefined && { progress: morning.progress }),
      transport: async (request) => {
        const headers = Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
        );
        atOnce = Math.max(atOnce, ++underWay);
        try {
          await Promise.resolve();
          const answer = await sandbox.handle({ ...request, headers });
          return morning.rewrite?.(answer, request.path) ?? answer;
        } finally {
          underWay--;
        }
      },
    }),
  );
  const seen = sandbox.requests();
  assert.deepEqual(
    seen.filter(({ method, body }) => method !== "GET" || (body ?? "") !== ""),
    [],
    "nothing but GETs",
  );
  const ready = assessReadiness(declaration, looked, {
    panel,
    words: settings,
    redact: connectionRedactor(settings.username, settings.password),
    known: { questions: morning.known ?? [] },
    now: clock.wallTime(),
  });
  assert.equal(validate(JSON.parse(JSON.stringify(ready))), true, JSON.stringify(validate.errors));
  return {
    ready,
    looked,
    atOnce,
    paths: seen.map(({ path }) => path),
    restore: (name) => {
      const found = ready.restores.filter((one) => one.name === name);
      assert.equal(found.length, 1, `${name} among ${ready.restores.map((one) => one.name).join(", ")}`);
      return found[0]!;
    },
  };
}
