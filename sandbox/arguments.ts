import { parseArgs } from "node:util";
import { type DialectOption, dialects, readPreset, readSwitches } from "./dialect/presets";
import type { SandboxOptions } from "./index";
import { readScenarioFile } from "./panel/scenario";
import { messageOf, positive, present, type Reader, SandboxError, wholeUpTo } from "./plain/input";

const defaultPort = 8787;
const highestPort = 65_535;

export const usage = `Usage: pulumi-recovery sandbox [options]

A simulated panel: restore against it without touching a machine.

  --port <n>            the panel's port, 0 for any (default ${String(defaultPort)})
  --host <address>      the address it listens on (default 127.0.0.1)
  --control-port <n>    the page's port, on 127.0.0.1 (default: --port plus 1)
  --user <name>         default operator
  --password <text>     default sandbox
  --dialect <name>      how it responds where panels differ, one of
                        ${Object.keys(dialects).join(", ")} (default plain)
  --switch <name=value> sets one such detail, like machineTie=field; repeatable
  --speed <factor>      runs restores this many times faster (default 1)
  --slots <n>           how many transactions run at a time (default 4)
  --seed <n>            the same seed gives the same run (default 1)
  --scenario <file>     JSON with machines, transactions, background, dialect,
                        faults, seed, speed, slots, pickupSeconds
  --state <file>        keeps machines and transactions across restarts
  --help

Exit codes: 0 stopped; 3 not started.
`;

const text = { type: "string" } as const;

const knownOptions = {
  port: text,
  host: text,
  "control-port": text,
  user: text,
  password: text,
  dialect: text,
  switch: { type: "string", multiple: true },
  speed: text,
  slots: text,
  seed: text,
  scenario: text,
  state: text,
} as const;

/** Turns the command line into options. */
export function readArguments(args: readonly string[]): SandboxOptions {
  const values = parse(args);
  const number = (name: "port" | "control-port" | "speed" | "slots" | "seed", read: Reader<number>) => {
    const text = values[name];
    return text === undefined ? undefined : read(valueIn(text), `--${name}`);
  };
  const port = number("port", wholeUpTo(highestPort)) ?? defaultPort;
  const scenario = values.scenario === undefined ? undefined : readScenarioFile(values.scenario);
  const nextPort = port === 0 || port === highestPort ? 0 : port + 1;
  return present({
    port,
    control: { port: number("control-port", wholeUpTo(highestPort)) ?? nextPort },
    host: values.host,
    username: values.user,
    password: values.password,
    dialect: dialectFrom(values.dialect, values.switch, scenario?.dialect),
    speed: number("speed", positive),
    slots: number("slots", wholeUpTo(1_000_000)),
    seed: number("seed", wholeUpTo(2 ** 32)),
    scenario,
    stateFile: values.state,
  });
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

/** Applies switches to the dialect named on the command line or, if none is named, to the scenario's dialect. */
function dialectFrom(
  name: string | undefined,
  switches: readonly string[] = [],
  inScenario: DialectOption | undefined,
): DialectOption | undefined {
  const named = name === undefined ? undefined : readPreset(name, "--dialect");
  if (switches.length === 0) return named;
  const base = named ?? inScenario ?? "plain";
  const changes = readSwitches(Object.fromEntries(switches.map(switchIn)), "--switch");
  return { ...(typeof base === "string" ? { preset: base } : base), ...changes };
}

function switchIn(text: string): readonly [name: string, value: string | number | null] {
  const [name = "", value] = text.split(/=(.*)/s);
  if (value === undefined)
    throw new SandboxError(`--switch: must be a name and a value, like pointPageSize=50, got "${text}"`);
  return [name, value === "null" ? null : valueIn(value)];
}

function valueIn(text: string): string | number {
  return /^-?[0-9]+(?:\.[0-9]+)?$/.test(text) ? Number(text) : text;
}
