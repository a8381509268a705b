import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Dialect } from "../dialect/dialect";
import { messageOf, SandboxError } from "../plain/input";
import type { Cloud, CloudState } from "./cloud";

type IdStyle = Dialect["idStyle"];

/** Keeps a cloud in a file, or nowhere without a path. It writes only after a change. */
export class StateFile {
  #kept: number | undefined;

  constructor(
    private readonly path: string | undefined,
    private readonly idStyle: IdStyle,
  ) {}

  /** Undefined if there is no such file yet. */
  load(): CloudState | undefined {
    if (this.path === undefined || !existsSync(this.path)) return undefined;
    const { version, idStyle, cloud } = this.#read(this.path);
    if (version !== 1 || cloud === undefined) throw this.#unusable("is not a state of this sandbox");
    if (idStyle === this.idStyle) return cloud;
    const ids = `its transactions have ids of style "${String(idStyle)}", the dialect asks for "${this.idStyle}"`;
    throw this.#unusable(ids);
  }

  /** Writes to a temporary file, then renames it, so the file is complete at any time. */
  save(cloud: Cloud): void {
    if (this.path === undefined || this.#kept === cloud.changes) return;
    const saved: Saved = { version: 1, idStyle: this.idStyle, cloud: cloud.state() };
    const beside = `${this.path}.${String(process.pid)}.new`;
    try {
      writeFileSync(beside, `${JSON.stringify(saved)}\n`, { flush: true, mode: 0o600 });
      renameSync(beside, this.path);
    } catch (error) {
      throw this.#unusable(`cannot be written (${messageOf(error)})`);
    }
    this.#kept = cloud.changes;
  }

  #read(path: string): Partial<Saved> {
    try {
      return (JSON.parse(readFileSync(path, "utf8")) ?? {}) as Partial<Saved>;
    } catch (error) {
      throw this.#unusable(`cannot be read (${messageOf(error)})`);
    }
  }

  #unusable(why: string): SandboxError {
    return new SandboxError(`state file ${String(this.path)}: ${why}`);
  }
}

interface Saved {
  readonly version: 1;
  readonly idStyle: IdStyle;
  readonly cloud: CloudState;
}
