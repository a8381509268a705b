import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Dialect } from "../dialect/dialect";
import { messageOf, SandboxError } from "../plain/input";
import type { Cloud, CloudState } from "./cloud";

/** The content of a state file. */
interface Saved {
  readonly version: 1;
  readonly idStyle: Dialect["idStyle"];
  readonly cloud: CloudState;
}

/** Keeps a cloud in a file, or nowhere without a path. It writes only after a change. */
export class StateFile {
  #kept: number | undefined;

  constructor(
    private readonly path: string | undefined,
    private readonly idStyle: Dialect["idStyle"],
  ) {}

  load(): CloudState | undefined {
    return this.path === undefined ? undefined : loadState(this.path, this.idStyle);
  }

  save(cloud: Cloud): void {
    if (this.path === undefined || this.#kept === cloud.changes) return;
    saveState(this.path, cloud.state(), this.idStyle);
    this.#kept = cloud.changes;
  }
}

/** Writes beside the file, then renames: the file is whole at any time. */
function saveState(path: string, cloud: CloudState, idStyle: Dialect["idStyle"]): void {
  const saved: Saved = { version: 1, idStyle, cloud };
  const beside = `${path}.${String(process.pid)}.new`;
  try {
    writeFileSync(beside, `${JSON.stringify(saved)}\n`, { flush: true, mode: 0o600 });
    renameSync(beside, path);
  } catch (error) {
    throw new SandboxError(`state file ${path}: cannot be written (${messageOf(error)})`);
  }
}

/** Undefined if there is no such file yet. */
function loadState(path: string, idStyle: Dialect["idStyle"]): CloudState | undefined {
  if (!existsSync(path)) return undefined;
  let saved: unknown;
  try {
    saved = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new SandboxError(`state file ${path}: cannot be read (${messageOf(error)})`);
  }
  if (!isSaved(saved)) throw new SandboxError(`state file ${path}: is not a state of this sandbox`);
  if (saved.idStyle !== idStyle) {
    throw new SandboxError(
      `state file ${path}: its transactions have ids of style "${saved.idStyle}", the dialect asks for "${idStyle}"`,
    );
  }
  return saved.cloud;
}

function isSaved(value: unknown): value is Saved {
  return (
    typeof value === "object" &&
    value !== null &&
    "version" in value &&
    value.version === 1 &&
    "idStyle" in value &&
    "cloud" in value &&
    typeof value.cloud === "object" &&
    value.cloud !== null &&
    ["ledger", "machines", "restores"].every((key) => key in (value.cloud as object))
  );
}
