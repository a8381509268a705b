/**
 * Something that a suite needs, by its name in the set-up. A full test run prepares it before the first test, or finds that it is not
 * available. If the suite is run by hand, this call prepares it, however long that takes.
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
