/**
 * Something that a suite needs, by its name in the set-up. A full test run prepares it before the first test, or finds that it is not
 * available. A suite that is run by hand prepares it now, however long that takes.
 */
export function needs(name: string): { readonly path: string } {
  let found = "";

  before(async function () {
    this.timeout(0);
    const { find } = await import("../../../tools/cli/find.mjs");
    const one = await find(name);
    if ("why" in one) {
      process.stderr.write(`skipped: ${one.why}\n`);
      this.skip();
    }
    found = one.path;
  });

  return {
    get path() {
      return found;
    },
  };
}
