/** A copy without some of its properties. */
export function without<T extends object, K extends keyof T>(value: T, ...names: readonly K[]): Omit<T, K> {
  const copy: Partial<T> = { ...value };
  for (const name of names) Reflect.deleteProperty(copy, name);
  return copy as Omit<T, K>;
}
