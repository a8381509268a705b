import { postingGoesWrong, readingGoesWrong } from "./support/fault-suites";

/** A seed each; the long run has a hundred, and 5 % beside 20 %. */
describe("restores on a panel where 20 % of all readings go wrong", () => {
  readingGoesWrong(20, 1);
});

describe("restores whose POST goes wrong half of the time, on a panel where readings go wrong as well", () => {
  postingGoesWrong(1);
});
