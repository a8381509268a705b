import { readingGoesWrong } from "./support/fault-suites";

describe("restores on a panel where 5 % of all readings go wrong, a hundred seeds", () => {
  readingGoesWrong(5, 100);
});
