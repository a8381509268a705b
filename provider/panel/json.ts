/** Deeper than the nesting of any panel's answer, but shallow enough for every recursive reader. */
const maxDepth = 40;

/** Matches numbers that JSON.parse may change, after a name or in an array, but not the seconds in a timestamp. */
const maybeInexact = /(?:"\s*:|[[,])\s*-?(?:\d{16}|(?:0|[1-9]\d{0,15})[.eE])/;

const stringsAndNumbers = /"[^"\\]*(?:\\[^][^"\\]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Keeps numbers as text if parsing would change them, limits the depth, and drops `__proto__`, because copying it by assignment would change the prototype. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const exact: unknown = maybeInexact.test(text) ? JSON.parse(text.replace(stringsAndNumbers, exactToken)) : value;
  limitDepth(exact, maxDepth);
  return exact;
}

function exactToken(token: string): string {
  if (token.startsWith('"')) return token;
  return typeof exactNumber(token) === "string" ? `"${token}"` : token;
}

function limitDepth(value: unknown, depth: number): void {
  if (typeof value !== "object" || value === null) return;
  if (depth === 0) throw new SyntaxError("nested too deeply");
  if (!Array.isArray(value) && Object.hasOwn(value, "__proto__")) Reflect.deleteProperty(value, "__proto__");
  for (const member of Object.values(value)) limitDepth(member, depth - 1);
}

/** Keeps ids above 2^53 and numbers such as 1.50 as text. Both JSON and XML are read with this function, so that they yield the same values. */
export function exactNumber(text: string): number | string {
  const value = Number(text);
  if (String(value) !== text) return text;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? text : value;
}
