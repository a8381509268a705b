/** Removes, for one suite, any connection settings that come from a developer's shell. */
export function withoutConnection(): void {
  const kept: Record<string, string | undefined> = {};

  before(() => {
    for (const name of Object.keys(process.env).filter((one) => one.startsWith("RECOVERY_"))) {
      kept[name] = process.env[name];
      Reflect.deleteProperty(process.env, name);
    }
  });

  after(() => {
    Object.assign(process.env, kept);
  });
}
