import { cancelledStays, unfinishedStays } from "./suites/replaced-over-an-error";
import { useStacks } from "./support/one-restore";

describe("a restore that is stored with an error and replaced over any change, in the other ways, on the real engine", () => {
  const stacks = useStacks();

  unfinishedStays(stacks, "the stack's transformation says so");
  unfinishedStays(stacks, "a transform of the engine's says so");
  cancelledStays(stacks, "replaceOnChanges says so");
  cancelledStays(stacks, "a transform of the engine's says so");
});
