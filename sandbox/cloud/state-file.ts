import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Dialect } from "../dialect/dialect";
import { messageOf, SandboxError } from "../plain/input";
import type { Cloud, CloudState } from "./cloud";

/** Stores a cloud in a file, or nowhere if there is no path. Writes only if something has changed. */
export class StateFile {
  #kept: string | undefined;

  constructor(
    private readonly path: string | undefined,
    private readonly idStyle: Dialect["idStyle"],
  ) {}

  /** Undefined if the file does not exist yet. */
  load(): CloudState | undefined {
    if (this.path === undefined || !existsSync(this.path)) return undefined;
    let saved: { idStyle?: string; cloud?: CloudState };
    try {
      saved = JSON.parse(readFileSync(this.path, "utf8")) as { idStyle?: string; cloud?: CloudState };
    } catch (error) {
      throw this.#unusable(`cannot be read (${messageOf(error)})`);
    }
    const { idStyle, cloud } = saved;
    if (cloud === undefined) throw this.#unusable("does not contain a sandbox's state");
    if (idStyle === this.idStyle) return cloud;
    const ids = `its transaction ids are in the "${String(idStyle)}" style, but the dialect requires "${this.idStyle}"`;
    throw this.#unusable(ids);
  }

  /** Writes to a temporary file, then renames it, so the file is complete at all times. */
  save(cloud: Cloud): void {
    if (this.path === undefined) return;
    const text = `${JSON.stringify({ idStyle: this.idStyle, cloud: cloud.state() })}\n`;
    if (this.#kept === text) return;
    const beside = `${this.path}.${String(process.pid)}.new`;
    try {
      writeFileSync(beside, text, { flush: true, mode: 0o600 });
      renameSync(beside, this.path);
    } catch (error) {
      throw this.#unusable(`cannot be written (${messageOf(error)})`);
    }
    this.#kept = text;
  }

  #unusable(why: string): SandboxError {
    return new SandboxError(`state file ${String(this.path)}: ${why}`);
  }
}
