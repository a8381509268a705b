/**
 * For a suite: what it cannot do without, by the name that set-up knows it by. A run of the tests has got it before the first of
 * them, or has learnt that it cannot be had; what is run by hand gets it now, however long that takes.
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
