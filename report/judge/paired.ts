import type { IntentResource, StoredRestore } from "../state/restores";

/** Restores as far as the state can vouch for them, and intents whose restore it does not hold. */
export interface Paired {
  readonly current: readonly StoredRestore[];
  /** Begun, and not stored; with what an earlier run left under the same name. */
  readonly orphans: readonly { readonly intent: IntentResource; readonly earlier?: StoredRestore }[];
}

/**
 * The engine saves an intent before its restore starts, and the restore when it has ended. So a restore that carries
 * another intent than the one now stored is of an earlier run, and says nothing about this one.
 */
export function paired(restores: readonly StoredRestore[], intents: readonly IntentResource[]): Paired {
  const used = new Set(restores.map(({ intent }) => intent.id));
  const orphans = intents
    .filter(({ id }) => id === undefined || !used.has(id))
    .map((intent) => {
      const earlier = restores.find((restore) => isOf(restore, intent));
      return earlier === undefined ? { intent } : { intent, earlier };
    });
  const superseded = new Set(orphans.map(({ earlier }) => earlier));
  return { current: restores.filter((restore) => !superseded.has(restore)), orphans };
}

function isOf({ intent, step, rawName, parent }: StoredRestore, made: IntentResource): boolean {
  if (intent.urn !== undefined && intent.urn === made.urn) return true;
  return rawName === made.rawName && step.kind === made.kind && parent === made.parent;
}
