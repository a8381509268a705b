import { commandCheck } from "./command";
import { httpCheck } from "./http";
import type { Properties } from "../../provider/plain/plain";
import type { CheckAttempt, CheckKind } from "./kind";
import { tcpCheck } from "./tcp";

/** Every kind of check, by the property that selects it. A new kind needs a row here, a file in this folder, and a type in `program/args.ts`. */
const checkKinds = { http: httpCheck, tcp: tcpCheck, command: commandCheck };

export type CheckKindName = keyof typeof checkKinds;

/** What a check sends and expects: its kind, and the properties of that kind as given. All of it is secret. */
export type Probe = { readonly kind: CheckKindName };

export const checkKindNames = Object.keys(checkKinds) as readonly CheckKindName[];

export function checkKind(name: CheckKindName): CheckKind<Properties> {
  return checkKinds[name] as unknown as CheckKind<Properties>;
}

export const attemptOf = (probe: Probe): CheckAttempt => checkKind(probe.kind).attempt(probe);
export const secretsOf = (probe: Probe): readonly string[] => checkKind(probe.kind).secrets(probe);
