/** A property for an object literal, absent where there is no value: optional members are to be absent, not undefined. */
export function given<Key extends string, T>(key: Key, value: T | undefined): { readonly [Name in Key]?: T } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [Name in Key]?: T });
}
