import { isObject } from "../plain/is-object";
import type { Intent, RestoreKind, RestoreTarget } from "../restore/terms/intent";
import { isText, readWholeMark } from "./stored-mark";

/**
 * The intent as the engine hands it over. It is absent, or lacks parts, when the restore was run without its intent;
 * then there is none, and nothing may be posted.
 */
export function readIntent(value: unknown): Intent | undefined {
  if (!isObject(value)) return undefined;
  const { id, urn, process, madeAt } = value;
  const mark = readWholeMark(value.mark);
  const madeFor = readMadeFor(value.madeFor);
  if (!isText(id) || !isText(urn) || !isText(process) || !isText(madeAt)) return undefined;
  return mark && madeFor && { id, urn, process, madeAt, mark, madeFor };
}

function readMadeFor(value: unknown): RestoreTarget | undefined {
  if (!isObject(value)) return undefined;
  const { kind, virtualMachineId, recoveryPointId, paths, triggers } = value;
  if (!isKind(kind) || !isText(virtualMachineId) || !isText(recoveryPointId)) return undefined;
  return {
    kind,
    virtualMachineId,
    recoveryPointId,
    ...(Array.isArray(paths) && { paths: paths.filter(isText) }),
    ...(Array.isArray(triggers) && triggers.length > 0 && { triggers: triggers as readonly unknown[] }),
  };
}

export function isKind(value: unknown): value is RestoreKind {
  return value === "VmRestore" || value === "FileRestore";
}
