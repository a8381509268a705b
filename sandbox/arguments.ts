import { parseArgs } from "node:util";
import { type DialectPreset, dialects } from "./dialect/presets";
import { type DialectOption, readSwitches } from "./dialect/read-dialect";
import type { SandboxOptions } from "./index";
import { optional, messageOf, SandboxError } from "./plain/input";
import { readScenarioFile } from "./panel/shapes";

const defaultPort = 8787;

const pointSwitches = Object.keys(dialects.plain).filter((name) => name.startsWith("point"));

export const usage = `Usage: pulumi-recovery sandbox [options]

A simulator of the control panel: restore against it without touching a machine.

  --port <n>            the panel's port, 0 for any free one (default ${String(defaultPort)})
  --host <address>      the address it listens on (default 127.0.0.1)
  --control-port <n>    port of the page and the control, always on 127.0.0.1 (default: the panel's port plus 1)
  --user <name>         default operator
  --password <text>     default sandbox
  --dialect <name>      ${Object.keys(dialects).join(", ")}: its answers wherever panels differ (default plain)
  --switch <name=value> changes one answer of the dialect, like pointCap=100; may be repeated. About recovery points:
                        ${pointSwitches.slice(0, 5).join(", ")},
                        ${pointSwitches.slice(5).join(", ")}
  --speed <factor>      restores run this many times faster than real ones (default 1)
  --slots <n>           how many transactions run at a time (default 4)
  --seed <n>            seed of everything random; the same seed gives the same run (default 1)
  --scenario <file>     JSON with machines, transactions, background, dialect, faults, seed, speed, slots, pickupSeconds
  --state <file>        keeps machines and transactions across restarts
  --help
`;

const knownOptions = {
  port: { type: "string" },
  host: { type: "string" },
  "control-port": { type: "string" },
  user: { type: "string" },
  password: { type: "string" },
  dialect: { type: "string" },
  switch: { type: "string", multiple: true },
  speed: { type: "string" },
  slots: { type: "string" },
  seed: { type: "string" },
  scenario: { type: "string" },
  state: { type: "string" },
} as const;

/** Turns the command line into options. */
export function readArguments(args: readonly string[]): SandboxOptions {
  const values = parse(args);
  const port = wholeNumber("--port", values.port, 65_535) ?? defaultPort;
  const scenario = values.scenario === undefined ? undefined : readScenarioFile(values.scenario);
  return {
    port,
    control: {
      port:
        wholeNumber("--control-port", values["control-port"], 65_535) ?? (port === 0 || port === 65_535 ? 0 : port + 1),
    },
    ...optional("host", values.host),
    ...optional("username", values.user),
    ...optional("password", values.password),
    ...optional("dialect", dialectFrom(presetNamed(values.dialect), values.switch, scenario?.dialect)),
    ...optional("speed", positiveNumber("--speed", values.speed)),
    ...optional("slots", wholeNumber("--slots", values.slots, 1_000_000)),
    ...optional("seed", wholeNumber("--seed", values.seed, 2 ** 32)),
    ...optional("scenario", scenario),
    ...optional("stateFile", values.state),
  };
}

function parse(args: readonly string[]): ReturnType<typeof parseArgs<{ options: typeof knownOptions }>>["values"] {
  try {
    return parseArgs({ args: [...args], options: knownOptions }).values;
  } catch (error) {
    // The first sentence names the option; the rest is advice about escaping.
    const message = messageOf(error);
    throw new SandboxError(`${message.split(/\.\s/)[0] ?? message}; --help lists the options`);
  }
}

function isPreset(name: string): name is DialectPreset {
  return Object.hasOwn(dialects, name);
}

function presetNamed(name: string | undefined): DialectPreset | undefined {
  if (name === undefined || isPreset(name)) return name;
  throw new SandboxError(`--dialect: must be one of ${Object.keys(dialects).join(", ")}, not "${name}"`);
}

/** Switches are set on top of the dialect that is named here, or else in the scenario. */
function dialectFrom(
  named: DialectPreset | undefined,
  switches: readonly string[] = [],
  inScenario: DialectOption | undefined,
): DialectOption | undefined {
  if (switches.length === 0) return named;
  const base = named ?? inScenario ?? "plain";
  const changes = readSwitches(Object.fromEntries(switches.map(switchIn)), "--switch");
  return { ...(typeof base === "string" ? { preset: base } : base), ...changes };
}

function switchIn(text: string): readonly [name: string, value: string | number | null] {
  const [name = "", value] = text.split(/=(.*)/s);
  if (value === undefined)
    throw new SandboxError(`--switch: must be a name and a value, like pointPageSize=50, not "${text}"`);
  const isNumber = /^-?[0-9]+(?:\.[0-9]+)?$/.test(value);
  return [name, value === "null" ? null : isNumber ? Number(value) : value];
}

function wholeNumber(option: string, text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^[0-9]+$/.test(text) && value <= most) return value;
  throw new SandboxError(`${option}: must be a whole number up to ${String(most)}, not "${text}"`);
}

function positiveNumber(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value) && value > 0) return value;
  throw new SandboxError(`${option}: must be a number above 0, not "${text}"`);
}
