import { forgetOuterSettings } from "../../../tools/engine/environment";

/** Removes, before the tests in a suite, any connection settings that come from a developer's shell. */
export function withoutConnection(): void {
  before(forgetOuterSettings);
}
