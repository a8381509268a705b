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
import { settingsOf } from "./run-check";

const schema = JSON.parse(
  readFileSync(join(__dirname, "..", "..", "..", "cli", "ready", "schema", "ready-1.json"), "utf8"),
) as object;
const stamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
export const validate = new Ajv2020({ allErrors: true, formats: { "date-time": stamp } }).compile(schema);

export interface ReadySetup {
  /** The output of `pulumi stack export`, with restores on https://panel.example.com. */
  readonly state: object;
  readonly asked?: Selection;
  readonly panel?: PanelOptions;
  /** Called before the panel is read, to prepare it. */
  readonly before?: (panel: SandboxPanel) => unknown;
  readonly settings?: Readonly<Record<string, string>>;
  readonly known?: readonly KnownQuestion[];
  /** Changes an answer in a way that no dialect of the sandbox does. */
  readonly rewrite?: (answer: TransportResponse, path: string) => TransportResponse;
  readonly progress?: (line: string) => void;
  /** When it is looked; default: the panel's time. */
  readonly now?: Date;
  readonly provenWithinSeconds?: number;
  readonly inventory?: { readonly machines: readonly string[]; readonly restored: ReadonlySet<string> };
}

export interface ReadyRun {
  readonly ready: ReadyResult;
  readonly reading: PanelReading;
  readonly paths: readonly string[];
  /** The highest number of requests at a time. */
  readonly atOnce: number;
  readonly restore: (name: string) => ReadyRestore;
}

/** Runs `ready` against a simulated panel without sockets, and asserts by the panel's records that nothing was posted. */
export async function runReady(setup: ReadySetup): Promise<ReadyRun> {
  const clock = new VirtualClock();
  const sandbox = createSandbox({ clock, ...setup.panel });
  await setup.before?.(sandbox);
  const settings = settingsOf({
    endpoint: "https://panel.example.com",
    username: sandbox.username,
    password: sandbox.password,
    ...setup.settings,
  });
  const { endpoint: panel, allowedMachines } = settings;
  const declaration = readDeclaration(setup.state, setup.asked ?? {});
  let [underWay, atOnce] = [0, 0];
  const looked = await clock.run(
    readPanel(settings, machinesToRead(declaration, { panel, allowedMachines }), {
      clock,
      ...(setup.progress !== undefined && { progress: setup.progress }),
      transport: async (request) => {
        const headers = Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
        );
        atOnce = Math.max(atOnce, ++underWay);
        try {
          await Promise.resolve();
          const answer = await sandbox.handle({ ...request, headers });
          return setup.rewrite?.(answer, request.path) ?? answer;
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
    allowedMachines,
    words: settings,
    redact: connectionRedactor(settings.username, settings.password),
    known: { questions: setup.known ?? [] },
    now: setup.now ?? clock.wallTime(),
    ...(setup.provenWithinSeconds !== undefined && { provenWithinSeconds: setup.provenWithinSeconds }),
    ...(setup.inventory && { inventory: setup.inventory }),
  });
  assert.equal(validate(JSON.parse(JSON.stringify(ready))), true, JSON.stringify(validate.errors));
  return {
    ready,
    reading: looked,
    atOnce,
    paths: seen.map(({ path }) => path),
    restore: (name) => {
      const found = ready.restores.filter((one) => one.name === name);
      assert.equal(found.length, 1, `${name} among ${ready.restores.map((one) => one.name).join(", ")}`);
      return found[0]!;
    },
  };
}
