import assert from "node:assert/strict";
import { report, toHtml, toMarkdown } from "../../report";
import { stackOfPlan } from "./support/plans";
import { at, type StackResource, urnOf } from "./support/stack";

const step = (name: string, seconds: number): StackResource => ({
  type: "command:local:Command",
  name,
  outputs: {},
  modified: at(seconds),
});
const wave = (name: string) => urnOf({ type: "PlanWave", name: `shop-wave-${name}`, of: "shop" });
const db = { name: "db", machine: 43, point: 1008, requested: 0, ran: 60, transaction: "5014" };
const web = { name: "web", machine: 42, point: 1007, requested: 300, ran: 60, transaction: "5015" };

/** The state of a plan whose second wave has no restores. `more` are further dependencies, by the end of a resource's name. */
function exported(more: Readonly<Record<string, readonly string[]>>): object {
  const state = stackOfPlan({
    waves: [
      { name: "data", restores: [db] },
      { name: "switch", restores: [], between: [step("dns", 100), step("cache", -86_400)] },
      { name: "front", restores: [web], between: [step("go", 200)] },
    ],
  }) as { deployment: { resources: { urn: string; dependencies?: readonly string[] }[] } };
  for (const one of state.deployment.resources) {
    for (const [name, urns] of Object.entries(more))
      if (one.urn.endsWith(`::${name}`)) one.dependencies = [...(one.dependencies ?? []), ...urns];
  }
  return state;
}

const others = ["dns", "cache"].map((name) => urnOf({ type: "command:local:Command", name }));
const asEngineStoresThem = {
  "shop-wave-switch": [wave("data"), ...others],
  "shop-web": [wave("switch")],
};

describe("resources before a wave without restores", () => {
  const made = report(exported(asEngineStoresThem));

  it("stand before the next one's restores, whose gap they fill", () => {
    assert.deepEqual(
      made.waves.map(({ between = [] }) => between.map(({ name, ranInRun }) => [name, ranInRun])),
      [
        [],
        [],
        [
          ["go", true],
          ["dns", true],
          ["cache", false],
        ],
      ],
    );
    assert.match(toMarkdown(made), /\*\*Wave 3: front\*\*, after go, dns; not run in this run: cache/);
    assert.match(
      toHtml(made),
      /<title>go, dns: before this wave, 3 min 55 s<\/title><use[^>]*\/><rect class="b".*<span class="soft">3 min 55 s<\/span>/,
    );
  });

  it("end no report where a state says that two waves come after each other", () => {
    const state = exported({ ...asEngineStoresThem, "shop-wave-data": [wave("switch")] });
    assert.deepEqual(
      report(state).waves[2]?.between?.map(({ name }) => name),
      ["go", "dns", "cache"],
    );
  });
});
