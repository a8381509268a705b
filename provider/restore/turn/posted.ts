/**
 * A restore that this process posted and nobody waits for (`wait: false`). It may keep a lane or a slot taken; whoever comes
 * next settles it. Until then nothing runs for it.
 */
export interface Posted {
  /** Waits until it has ended, or until it cannot be known. Never rejects; the same promise for everybody who asks. */
  settle(): Promise<void>;
}

/** Makes a `Posted` of a wait that is started by the first one who asks. */
export function postedUnwatched(wait: () => Promise<unknown>): Posted {
  let settled: Promise<void> | undefined;
  return {
    settle() {
      settled ??= wait().then(
        () => undefined,
        () => undefined,
      );
      return settled;
    },
  };
}
