import { explored } from "./explored";

describe("lives of restores, whatever happens: quarter 1 of a million steps", () => {
  explored(0, 7_500);
});
