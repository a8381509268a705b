import { postingGoesWrong } from "./support/fault-suites";

describe("restores whose POST goes wrong half of the time, on a panel where readings go wrong as well, many seeds", () => {
  postingGoesWrong(50);
});
