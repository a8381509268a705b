import assert from "node:assert/strict";
import type { ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";
import { rules } from "../../examples/policy/rules";
import { FileRestore, RecoveryPlan, VmRestore } from "../../provider";

interface Resource {
  readonly type: string;
  readonly name: string;
  readonly props: object;
}

/** What a rule in the example reports at a given hour, with the settings that the engine would pass. */
function said(rule: string, settings: object, resources: readonly Resource[], hour = 22): readonly string[] {
  const policy = rules(() => new Date(Date.UTC(2026, 10, 20, hour, 30))).find(({ name }) => name === rule);
  const told: string[] = [];
  const of = (more: object) => ({ ...more, getConfig: () => settings }) as never;
  const report = (message: string): void => void told.push(message);
  const { validateResource, validateStack } = policy as ResourceValidationPolicy & StackValidationPolicy;
  for (const one of resources) for (const validate of [validateResource ?? []].flat()) void validate(of(one), report);
  void (validateStack as typeof validateStack | undefined)?.(of({ resources }), report);
  return told;
}

const vm = (name: string, ...triggers: string[]): Resource => ({
  type: "pulumi-nodejs:recovery:VmRestore",
  name,
  props: { virtualMachineId: name, triggers },
});
const files = (name: string): Resource => ({ ...vm(name), type: "pulumi-nodejs:recovery:FileRestore" });

describe("the example policy pack", () => {
  it("recognizes restores and plans by their resource types", () => {
    const types = [VmRestore, FileRestore, RecoveryPlan].map(({ __pulumiType }) => __pulumiType);
    assert.deepEqual(types, [vm("").type, files("").type, "recovery:index:RecoveryPlan"]);
  });

  it("requires a ticket among the triggers", () => {
    const other = { ...vm("it"), type: "other:index:Thing" };
    const all = [vm("web", "2026-Q4"), files("etc"), vm("db", "2026-Q4 CHG-1234"), other];
    assert.deepEqual(
      said("restore-has-ticket", { pattern: "\\bCHG-\\d+\\b" }, all),
      ["web", "etc"].map((name) => `none of the triggers of ${name} is a ticket (\\bCHG-\\d+\\b)`),
    );
  });

  it("allows restores only during the set hours, which may span midnight", () => {
    const isOut = (hour: number) => said("restore-within-hours", { from: 20, to: 6 }, [vm("web")], hour).length === 1;
    assert.deepEqual([0, 5, 6, 12, 19, 20, 23].filter(isOut), [6, 12, 19]);
  });

  it("counts each machine once", () => {
    const few = (...all: Resource[]) => said("restore-few-machines", { machines: 2 }, all);
    assert.deepEqual(few(vm("1"), files("1"), vm("2")), []);
    assert.deepEqual(few(vm("1"), vm("2"), files("3")), ["3 machines would be restored, but at most 2 are allowed"]);
  });
});
