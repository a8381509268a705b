import { maskSecrets } from "../panel/mask";
import type { Redact } from "../panel/secrets";
import { engineSafeData } from "../plain/text";

/** Limits for one check and for all checks of a wave. The error of a failed wave goes to the engine in one gRPC trailer. */
const maxOutputLength = 4_000;
const maxTotalLength = 1_000_000;

/**
 * The output of checks, by restore and by the check's number from 1. It is masked before it is shortened, so no cut leaves half a secret.
 */
export class CheckOutput {
  readonly #all: Record<string, Record<string, string>> = {};
  #size = 0;

  add(restore: string, index: number, output: string, redact: Redact): void {
    const masked = maskSecrets(output, redact);
    const end = masked.length > maxOutputLength ? `…${masked.slice(-maxOutputLength)}` : masked;
    if (end === "" || this.#size + end.length > maxTotalLength) return;
    this.#size += end.length;
    (this.#all[restore] ??= {})[String(index + 1)] = engineSafeData(end);
  }

  get all(): Readonly<Record<string, Readonly<Record<string, string>>>> {
    return this.#all;
  }
}
