import { faultKinds, type FaultKind, type FaultRule, type FaultSet } from "../../../sandbox/dialect/faults";

/** The kinds with a second face that a client may take differently. */
const faces: Readonly<Record<string, readonly [FaultKind, FaultRule]>> = {
  "403": ["refuse", { status: 403 }],
  "404": ["refuse", { status: 404 }],
  "a body cut short unnoticed": ["truncate", { contentLength: "cut" }],
  "a delay beyond the time one request may take": ["delay", { seconds: 45 }],
  "429 that says nothing of when": ["rateLimit", { retryAfter: "absent" }],
  "429 for an hour": ["rateLimit", { seconds: 3600, retryAfter: "date" }],
};

/** Every fault on reading, one at a time and all of them together. */
export function getFaults(probability: number): readonly (readonly [string, FaultSet])[] {
  const each = faultKinds.map((kind): [string, FaultSet] => [kind, { [kind]: probability }]);
  const others = Object.entries(faces).map(([name, [kind, rule]]): [string, FaultSet] => [
    name,
    { [kind]: { ...rule, probability } },
  ]);
  return [...each, ...others, ["all kinds at once", allKinds(probability)]];
}

/** Any of them, so that together they strike about this often. */
export function allKinds(probability: number): FaultSet {
  return Object.fromEntries(faultKinds.map((kind) => [kind, probability / faultKinds.length]));
}

/** What may become of a POST, for the first one of every restore. */
export const postFaults: readonly (readonly [string, FaultSet])[] = [
  ...faultKinds.map((kind): [string, FaultSet] => [kind, { [kind]: { probability: 0.5 } }]),
  ["no answer to a POST that was carried out", { timeout: { probability: 0.5, handled: true } }],
  ["all kinds at once", Object.fromEntries(faultKinds.map((kind) => [kind, 0.08]))],
];
