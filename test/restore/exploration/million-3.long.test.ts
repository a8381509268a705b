import { explored } from "./explored";

describe("lives of restores, whatever happens: quarter 3 of a million steps", () => {
  explored(15_000, 22_500);
});
