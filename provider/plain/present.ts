/** The members that have a value; types with optional members want the others absent, not undefined. */
export function present<T extends object>(members: { [K in keyof T]: T[K] | undefined }): T {
  const found: Partial<T> = {};
  for (const name in members) {
    if (members[name] !== undefined) found[name] = members[name];
  }
  return found as T;
}
