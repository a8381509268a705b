import { explored } from "./explored";

describe("lives of restores, whatever happens: quarter 2 of a million steps", () => {
  explored(7_500, 15_000);
});
