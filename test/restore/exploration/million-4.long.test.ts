import { explored } from "./explored";

describe("lives of restores, whatever happens: quarter 4 of a million steps", () => {
  explored(22_500, 30_000);
});
