import type { EngineVoice } from "../engine/engine-log";
import type { Voice } from "../restore/terms/result";

/** Where a restore says how it is getting on: its own row, if it has one. */
export function onRow(voice: EngineVoice, urn: string | undefined): Voice {
  return {
    progress(text) {
      if (urn !== undefined) voice.progress(urn, text);
    },
    warn(text) {
      if (urn !== undefined) voice.warn(urn, text);
    },
  };
}

/** What was said is out before the engine may end this process. */
export async function tidily<T>(voice: EngineVoice, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await voice.settled();
  }
}
