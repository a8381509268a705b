import { readFile } from "node:fs/promises";
import { stripVTControlCharacters } from "node:util";
import { resourceName } from "../../drills/judge/resources";
import { systemClock } from "../../provider/plain/clock";
import { asList, isObject, type Properties } from "../../provider/plain/plain";
import { readText } from "../../provider/plain/stored-fields";
import { unknownString } from "../../provider/inputs/read-values";
import { errorMessage, forTerminal } from "../../provider/plain/text";
import { secretKey } from "../../report/read-state";
import { CommandError, type Io, runPulumi } from "./command";
import { count } from "./words";

export type StateSource =
  | { readonly from: "stack"; readonly name?: string }
  | { readonly from: "file" | "preview"; readonly file: string };

/** Turns `--state`, `--preview` and `--stack` into a source. A file may be `-` for standard input. */
export function stateSource({
  state,
  preview,
  stack,
}: Readonly<Partial<Record<"state" | "preview" | "stack", string | undefined>>>): StateSource {
  if (state !== undefined && preview !== undefined) throw new CommandError("--state and --preview: use only one");
  if (preview !== undefined) return { from: "preview", file: preview };
  if (state !== undefined) return { from: "file", file: state };
  return { from: "stack", ...(stack !== undefined && { name: stack }) };
}

/** Reads an exported state, or a `Preview`, from its source. */
export async function loadStackState(
  source: StateSource,
  io: Io,
  secrets: "shown" | "encrypted" = "encrypted",
): Promise<unknown> {
  if (source.from === "stack")
    return parseJson(await exportStack(source.name, secrets, io), "the output of `pulumi stack export`");
  const { from, file } = source;
  const isPiped = file === "-";
  const parsed = parseJson(isPiped ? await io.stdin() : await readTextFile(file), isPiped ? "standard input" : file);
  return from === "preview" ? Preview.of(parsed) : parsed;
}

export async function readTextFile(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${errorMessage(error)}`, { cause: error });
  }
}

function parseJson(json: string, what: string): unknown {
  try {
    // A file from Windows may begin with a byte order mark.
    return JSON.parse(json.replace(/^\u{feff}/u, ""));
  } catch {
    throw new CommandError(`${what} is not JSON${json.trim() === "" ? ": it is empty" : ""}`);
  }
}

function exportStack(stack: string | undefined, secrets: "shown" | "encrypted", io: Io): Promise<string> {
  const args = [
    "stack",
    "export",
    "--non-interactive",
    ...(secrets === "shown" ? ["--show-secrets"] : []),
    ...(stack === undefined ? [] : ["--stack", stack]),
  ];
  return runPulumi(args, io, "install it, or pass an exported state with --state");
}

/** A preview, converted to the form of a state: each resource has its inputs from the program and its stored outputs. */
export class Preview {
  private constructor(
    readonly deployment: Properties,
    /** Set if the preview leaves out unchanged resources; says how to make a complete preview. */
    readonly problem: string | undefined,
  ) {}

  /** Reads the output of `pulumi preview --json`. Throws if the preview failed, because it then shows only part of the program. */
  static of(printed: unknown): Preview {
    const { steps, changeSummary, diagnostics, config, deployment } = isObject(printed) ? printed : {};
    if (!isObject(changeSummary) && !Array.isArray(diagnostics) && !Array.isArray(steps))
      throw new CommandError(
        `this is not a preview: pass the output of \`pulumi preview --json --show-sames\`${deployment === undefined ? "" : "; pass a state with --state"}`,
      );
    const errors = asList(diagnostics).filter((one) => isObject(one) && one["severity"] === "error");
    if (errors.length > 0)
      throw new CommandError(`the preview failed, so it may not show every restore. ${problemIn(errors[0])}`);
    const shown = asList(steps).filter(isStep);
    const sames = shown.filter(({ op }) => op === "same").length;
    const counted = isObject(changeSummary) ? Number(changeSummary["same"] ?? 0) : 0;
    const resources = shown.map(announced).filter((one) => one !== undefined);
    const manifest = { time: systemClock.wallTime().toISOString() };
    const problem =
      counted > sames
        ? `the preview leaves out ${count(counted - sames, "unchanged resource")}: run it again with --show-sames`
        : undefined;
    return new Preview({ manifest, resources: [...defaultProviders(resources, config), ...resources] }, problem);
  }
}

interface Step extends Properties {
  readonly newState: Properties;
}

/** A step after which the resource exists. */
const isStep = (step: unknown): step is Step => isObject(step) && isObject(step["newState"]);

/** The error message, without the program's stack trace. */
function problemIn(diagnostic: unknown): string {
  const message = isObject(diagnostic) ? (readText(diagnostic["message"]) ?? "") : "";
  const lines = message.replace(/^error: /, "").split("\n");
  const said = lines.filter((line) => line.trim() !== "" && !/^\W*(?:\[\d+m)?\s*at /.test(line)).slice(0, 6);
  return forTerminal(stripVTControlCharacters(said.join("\n")));
}

/** The resource as `up` would find it. Undefined for a restore without a stored record: its intent then shows what the program declares. */
function announced({ op, newState, oldState }: Step): Properties | undefined {
  const old = isObject(oldState) ? oldState : undefined;
  const name = resourceName(readText(newState["type"]) ?? "");
  const inputs = asProperties(newState["inputs"]);
  const outputs = asProperties(old?.["outputs"]);
  const stored = { ...newState, inputs, outputs, id: old?.["id"] };
  if (name === "VmRestore" || name === "FileRestore") {
    // If the machine or the point is known only during `up`, the stored record may be about a different machine or point.
    const { virtualMachineId, recoveryPoint, recoveryPointId = recoveryPoint } = inputs;
    return old && readText(virtualMachineId) !== undefined && recoveryPointId !== undefined ? stored : undefined;
  }
  // A wave's requests and record do not change until the run reaches the wave.
  if (["WaveIntent", "Wave", "Verdict"].includes(name ?? "")) return stored;
  const isNew = old === undefined || String(op).includes("replace");
  const kept = isNew ? [] : Object.entries(outputs).filter(([key]) => !Object.hasOwn(asProperties(old["inputs"]), key));
  return {
    ...stored,
    outputs: { ...Object.fromEntries(kept), ...inputs },
    ...(isNew && { id: newState["urn"] }),
  };
}

const asProperties = (value: unknown): Properties => (isObject(value) ? (shownValue(value) as Properties) : {});

/** Turns a masked secret into a secret as a state contains it, and a value that is known only during `up` into undefined. */
function shownValue(value: unknown): unknown {
  if (value === unknownString) return undefined;
  if (value === "[secret]") return { [secretKey]: "" };
  if (Array.isArray(value)) return value.map(shownValue);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shownValue(one)]));
}

/** The default providers, which a preview does not show. Their settings are the stack's configuration. */
function defaultProviders(resources: readonly Properties[], config: unknown): readonly Properties[] {
  const references = new Set(
    resources.map(({ provider }) => String(provider)).filter((one) => one.includes("::default")),
  );
  return [...references].map((reference) => {
    const urn = reference.split("::").slice(0, -1).join("::");
    return { urn, type: "pulumi:providers", outputs: asProperties(config) };
  });
}
