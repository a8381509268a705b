import assert from "node:assert/strict";
import { Once } from "../../provider/engine/memory";

describe("the outcome of a restore in one process", () => {
  it("is that of the first call, for those that come meanwhile and those that come after it", async () => {
    const once = new Once<number>();
    let carriedOut = 0;
    const call = (): Promise<number> => once.run("i", () => Promise.resolve(++carriedOut));
    assert.deepEqual(await Promise.all([call(), call()]), [1, 1]);
    assert.equal(await call(), 1);
    assert.equal(carriedOut, 1);
  });

  it("is an error again when it was one: nothing is tried twice", async () => {
    const once = new Once<number>();
    let carriedOut = 0;
    const call = (): Promise<number> =>
      once.run("i", () => {
        carriedOut++;
        return Promise.reject(new Error("not sent"));
      });
    await assert.rejects(call(), /not sent/);
    await assert.rejects(call(), /not sent/);
    assert.equal(carriedOut, 1);
  });

  it("is its own for each intent", async () => {
    const once = new Once<string>();
    assert.equal(await once.run("i", () => Promise.resolve("first")), "first");
    assert.equal(await once.run("j", () => Promise.resolve("second")), "second");
  });
});
