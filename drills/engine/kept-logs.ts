import { maskSecrets } from "../../provider/panel/mask";
import { type Redact, secretsRedactor } from "../../provider/panel/secrets";
import type { WaveLogs } from "../judge/stored";

/** Logs and outputs of checks travel with everything else that a failed wave stores. */
const maxLogsLength = 1_000_000;
const maxLogLength = 20_000;
const maxOutputLength = 4_000;

/** What the panel and the checks of a wave have written, as far as there is room. */
export class KeptLogs {
  readonly kept: Record<string, WaveLogs[string]> = {};
  #length = 0;

  constructor(private readonly redact: Redact) {}

  keepLog(name: string, log: string): void {
    this.#keep(name, (kept) => ({ ...kept, log: log.slice(-maxLogLength) }));
  }

  /** Masked before it is shortened, so that no cut leaves half a secret. What cannot be masked is not kept. */
  keepOutput(name: string, check: string, output: string, secrets: readonly string[]): void {
    let masked: string;
    try {
      const given = secretsRedactor(secrets);
      masked = maskSecrets(output, (text) => this.redact(given(text)));
    } catch {
      masked = "[not kept: it could not be masked]";
    }
    this.#keep(name, (kept) => ({ ...kept, checks: { ...kept.checks, [check]: masked.slice(-maxOutputLength) } }));
  }

  #keep(name: string, add: (kept: WaveLogs[string]) => WaveLogs[string]): void {
    const kept = add(this.kept[name] ?? {});
    const length = JSON.stringify(kept).length - JSON.stringify(this.kept[name] ?? {}).length;
    if (this.#length + length > maxLogsLength) return;
    this.#length += length;
    this.kept[name] = kept;
  }
}
