/** How much of a search a run does: `npm run test:full` goes the whole way, `npm test` has a few minutes for everything. */
export function thorough(quick: number, full: number): number {
  return process.env["TEST_THOROUGH"] === "yes" ? full : quick;
}
