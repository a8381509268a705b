import type { Between } from "../model/model";
import type { PlannedWave, StoredPlanRun } from "./plan-run";
import { kindOf, type Resource, type State } from "./read-state";
import { definedOnly, nameOf } from "./values";

/**
 * Finds the program's own resources that the restores of a wave come after, as `dependsOn` says. Those of a wave without restores stand before the
 * next one: that comes after its wave alone.
 */
export function resourcesBetween(state: State, run: StoredPlanRun): (wave: PlannedWave) => readonly Between[] {
  const others = new Map(state.resources.flatMap((one) => (kindOf(one.type) === undefined ? [[one.urn, one]] : [])));
  const waves = new Map(
    state.resources.flatMap((one) =>
      kindOf(one.type) === "planWave" && one.parent === run.parent ? [[one.urn, one]] : [],
    ),
  );
  const restores = new Map<string, Resource[]>();
  for (const one of others.size === 0 ? [] : state.resources) {
    const kind = kindOf(one.type);
    if (one.parent !== run.parent || (kind !== "intent" && kind !== "vmRestore" && kind !== "fileRestore")) continue;
    const name = kind === "intent" ? one.rawName.replace(/-(?:vm|file)-intent$/, "") : one.rawName;
    restores.set(name, [...(restores.get(name) ?? []), one]);
  }
  return (wave) => {
    const urns = new Set(
      wave.restores.flatMap(({ rawName }) => (restores.get(rawName) ?? []).flatMap(({ after }) => after)),
    );
    // A wave with restores comes after these alone. The set grows while it is read.
    for (const urn of urns) for (const before of waves.get(urn)?.after ?? []) urns.add(before);
    return [...urns].flatMap((urn) => {
      const resource = others.get(urn);
      return resource === undefined ? [] : [betweenFrom(resource, run.startedAt)];
    });
  };
}

/** A resource that stands behind no wave runs while the engine is about to save the run. */
const aheadMs = 10_000;

function betweenFrom({ name, type, modified, after }: Resource, startedAt: string | undefined): Between {
  const isBehindWave = after.some((urn) => /:PlanWave::/.test(urn));
  return definedOnly({
    name,
    type: nameOf(type) ?? "unknown",
    ranInRun:
      modified === undefined || startedAt === undefined
        ? undefined
        : Date.parse(modified) >= Date.parse(startedAt) - (isBehindWave ? 0 : aheadMs),
  });
}
