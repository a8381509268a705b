import { postingGoesWrong, readingGoesWrong } from "./support/fault-suites";

/** A seed or two each; the long run has a hundred. */
for (const percent of [5, 20]) {
  describe(`restores on a panel where ${String(percent)} % of all readings go wrong`, () => {
    readingGoesWrong(percent, 1);
  });
}

describe("restores whose POST goes wrong half of the time, on a panel where readings go wrong as well", () => {
  postingGoesWrong(2);
});
