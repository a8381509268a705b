import { SandboxError } from "../plain/input";
import { type Dialect, switches } from "./dialect";
import { type DialectPreset, dialects } from "./presets";

export type DialectOption = DialectPreset | (Partial<Dialect> & { readonly preset?: DialectPreset });

/** Resolves a preset's name, or switches on top of a preset (`plain` by default). */
export function resolveDialect(option: DialectOption = "plain"): Dialect {
  if (typeof option === "string") return presetNamed(option);
  const { preset: base, ...changes } = option;
  return changeDialect(presetNamed(base ?? "plain"), changes);
}

export function changeDialect(dialect: Dialect, changes: Partial<Dialect>): Dialect {
  return { ...dialect, ...readSwitches(changes, "dialect") };
}

/** Reads switches from outside. Each name and each value has to be known. */
export function readSwitches(value: unknown, key: string): Partial<Dialect> {
  if (typeof value !== "object" || value === null) throw new SandboxError(`${key}: must be an object of switches`);
  for (const [name, chosen] of Object.entries(value)) checkSwitch(`${key}.${name}`, name, chosen);
  return value;
}

function presetNamed(name: string): Dialect {
  const found = Object.entries(dialects).find(([key]) => key === name);
  if (found === undefined) {
    throw new SandboxError(`dialect: there is no preset "${name}"; take one of ${Object.keys(dialects).join(", ")}`);
  }
  return found[1];
}

function checkSwitch(key: string, name: string, value: unknown): void {
  const choices = Object.entries(switches).find(([known]) => known === name)?.[1];
  if (choices !== undefined) {
    if (!choices.some((choice) => choice === value)) {
      throw new SandboxError(`${key}: must be one of ${choices.join(", ")}, not ${JSON.stringify(value)}`);
    }
  } else if (name === "pageCap") {
    if (value !== null && !(Number.isInteger(value) && Number(value) > 0)) {
      throw new SandboxError(`${key}: must be a whole number above 0, or null for no cap`);
    }
  } else if (!Object.hasOwn(dialects.plain, name)) {
    throw new SandboxError(`${key}: there is no such switch; there are ${Object.keys(dialects.plain).join(", ")}`);
  } else if (typeof value !== "number" || !Number.isFinite(value)) {
    throw new SandboxError(`${key}: must be a number`);
  }
}
