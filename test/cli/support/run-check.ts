import { readFileSync } from "node:fs";
import { join } from "node:path";
import assert from "node:assert/strict";
import Ajv2020 from "ajv/dist/2020";
import { assessPanel } from "../../../cli/check/assess";
import type { CheckResult, CheckFinding } from "../../../cli/check/result";
import { maxRequests, survey, type Survey } from "../../../cli/check/survey";
import { readSettings, type Settings } from "../../../provider/inputs/settings";
import type { TransportResponse } from "../../../provider/panel/transport";
import type { MachineId } from "../../../provider/panel/types";
import { createSandbox, type PanelOptions, type SandboxPanel } from "../../../sandbox";
import { VirtualClock } from "../../support/virtual-clock";

const schema = JSON.parse(
  readFileSync(join(__dirname, "..", "..", "..", "cli", "check", "schema", "check-1.json"), "utf8"),
) as object;
const stamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
export const validate = new Ajv2020({ allErrors: true, formats: { "date-time": stamp } }).compile(schema);

export interface CheckSetup {
  readonly panel?: PanelOptions;
  /** Called before the check, to prepare the panel. */
  readonly before?: (panel: SandboxPanel, clock: VirtualClock) => unknown;
  /** Settings as the environment would hold them. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly machine?: string;
  readonly rows?: number;
  /** Changes an answer in a way that no dialect of the sandbox does. */
  readonly rewrite?: (answer: TransportResponse, path: string) => TransportResponse;
}

interface CheckRun {
  readonly checked: CheckResult;
  readonly survey: Survey;
  readonly paths: readonly string[];
  /** The one finding with this code. */
  readonly finding: (code: string) => CheckFinding;
}

export function settingsOf(texts: Readonly<Record<string, string>>): Settings {
  const all: Readonly<Record<string, string>> = { endpoint: "https://panel.example", ...texts };
  return readSettings([{ describe: (name) => name, read: (name) => all[name] }]);
}

/** Checks a simulated panel without sockets, and asserts by the panel's records that nothing was posted. */
export async function runCheck(check: CheckSetup): Promise<CheckRun> {
  const clock = new VirtualClock();
  const sandbox = createSandbox({ clock, ...check.panel });
  await check.before?.(sandbox, clock);
  const settings = settingsOf({ username: sandbox.username, password: sandbox.password, ...check.settings });
  const posted = sandbox.acceptedPosts();
  const read = await clock.run(
    survey(
      settings,
      { rows: check.rows ?? 500, ...(check.machine !== undefined && { machine: check.machine as MachineId }) },
      {
        clock,
        progress: () => undefined,
        transport: async (request) => {
          const headers = Object.fromEntries(
            Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
          );
          const answer = await sandbox.handle({ ...request, headers });
          return check.rewrite?.(answer, request.path) ?? answer;
        },
      },
    ),
  );
  const seen = sandbox.requests();
  assert.deepEqual(
    seen.filter(({ method, body }) => method !== "GET" || (body ?? "") !== ""),
    [],
    "nothing but GETs",
  );
  assert.equal(sandbox.acceptedPosts(), posted);
  assert.ok(seen.length <= maxRequests, `${String(seen.length)} requests`);
  const checked = assessPanel(read);
  assert.equal(validate(JSON.parse(JSON.stringify(checked))), true, JSON.stringify(validate.errors));
  return {
    checked,
    survey: read,
    paths: seen.map(({ path }) => path),
    finding: (code) => {
      const found = checked.findings.filter((one) => one.code === code);
      assert.equal(found.length, 1, `${code} among ${checked.findings.map((one) => one.code).join(", ")}`);
      return found[0]!;
    },
  };
}
