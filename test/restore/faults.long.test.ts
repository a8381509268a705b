import { postingGoesWrong, readingGoesWrong } from "./support/fault-suites";

for (const percent of [5, 20]) {
  describe(`restores on a panel where ${String(percent)} % of all readings go wrong, a hundred seeds`, () => {
    readingGoesWrong(percent, 100);
  });
}

describe("restores whose POST goes wrong half of the time, on a panel where readings go wrong as well, many seeds", () => {
  postingGoesWrong(50);
});
