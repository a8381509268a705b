/**
 * What the text stored in every stack's state requires: `require("pulumi-recovery/dynamic").<name>`. These names
 * and this path are kept across major versions, because a refresh or a destroy runs from the state alone.
 */
import { processSources } from "../config/process-sources";
import { resourceTypes } from "../names/resource-names";
import { createProviderProcess } from "../process/provider-process";
import { handlersIn } from "./handlers";

const here = createProviderProcess({
  types: resourceTypes,
  // The engine gives its address as the first argument.
  engineAddress: process.argv[2],
  sources: processSources(undefined, process.env),
});

export const { vmRestore, fileRestore, restoreIntent, planRun, planWave, planVerdict } = handlersIn(here);
