import assert from "node:assert/strict";
import { resolve } from "node:path";
import { sourcesOf } from "../house/support/imports";

const sources = sourcesOf(resolve(__dirname, "../.."), ["sandbox"]);

describe("the sandbox by itself", () => {
  it("needs nothing of the provider but the clock", () => {
    const foreign = sources.flatMap(({ files }) => files.filter((file) => !file.startsWith("sandbox/")));
    assert.deepEqual([...new Set(foreign)], ["provider/plain/clock.ts"]);
  });

  it("needs no package", () => {
    assert.deepEqual(
      sources.flatMap(({ packages }) => packages),
      [],
    );
  });
});
