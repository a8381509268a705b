import { readingGoesWrong } from "./support/fault-suites";

describe("restores on a panel where 20 % of all readings go wrong, a hundred seeds", () => {
  readingGoesWrong(20, 100);
});
