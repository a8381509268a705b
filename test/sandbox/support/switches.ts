import assert from "node:assert/strict";
import type { Dialect } from "../../../sandbox";

/** Shows a panel whose dialect differs in these switches alone. */
export type Seeing<Panel> = (dialect: Partial<Dialect>, see: (panel: Panel) => Promise<void>) => Promise<void>;

/** Tests what each value of a switch shows. One that it gains does not compile until it stands here. */
export function shows<Panel, Name extends keyof Dialect>(
  seen: Seeing<Panel>,
  name: Name,
  expected: Readonly<Record<Dialect[Name] & string, unknown>>,
  look: (panel: Panel) => Promise<unknown>,
): void {
  for (const [value, shown] of Object.entries<unknown>(expected)) {
    it(`${name}: ${value}`, () =>
      seen({ [name]: value }, async (panel) => {
        assert.deepEqual(await look(panel), shown);
      }));
  }
}
