import assert from "node:assert/strict";
import { type Policies, validateResourceOfType } from "@pulumi/policy";
import * as server from "@pulumi/policy/server";
import {
  AnalyzeRequest,
  type AnalyzeResponse,
  AnalyzerResource,
  AnalyzerResourceOptions,
  AnalyzeStackRequest,
} from "@pulumi/pulumi/proto/analyzer_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { rules } from "../../examples/policy/rules";
import { FileRestore, RecoveryPlan, VmRestore } from "../../provider";
import { planType, pluginTypes, resourceTypes } from "../../provider/inputs/resource-names";

type Analyze = (
  call: { readonly request: unknown },
  done: (error: Error | null | undefined, response: AnalyzeResponse) => void,
) => Promise<void>;
type MakeAnalyze = (pack: string, version: string, level: string, policies: Policies) => Analyze;

/** What the SDK does with the engine's requests. It declares no types of them. */
const { makeAnalyzeRpcFun, makeAnalyzeStackRpcFun } = server as unknown as Record<
  "makeAnalyzeRpcFun" | "makeAnalyzeStackRpcFun",
  MakeAnalyze
>;

interface Resource {
  readonly type: string;
  readonly name: string;
  readonly props?: Record<string, never> | Record<string, string | string[]>;
}

function asSent<Message extends AnalyzeRequest | AnalyzerResource>(message: Message, resource: Resource): Message {
  message.setType(resource.type);
  message.setName(resource.name);
  message.setUrn(`urn:pulumi:stack::project::${resource.type}::${resource.name}`);
  message.setProperties(Struct.fromJavaScript(resource.props ?? {}));
  message.setOptions(new AnalyzerResourceOptions());
  return message;
}

async function violations(make: MakeAnalyze, policies: Policies, request: unknown): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    void make(
      "pack",
      "1.0.0",
      "mandatory",
      policies,
    )({ request }, (error, response) => {
      if (error) reject(error);
      else resolve(response.getDiagnosticsList().map((one) => `${one.getPolicyname()}: ${one.getMessage()}`));
    });
  });
}

const ofResource = (policies: Policies, resource: Resource) =>
  violations(makeAnalyzeRpcFun, policies, asSent(new AnalyzeRequest(), resource));

function ofStack(policies: Policies, resources: readonly Resource[]) {
  const request = new AnalyzeStackRequest();
  request.setResourcesList(resources.map((one) => asSent(new AnalyzerResource(), one)));
  return violations(makeAnalyzeStackRpcFun, policies, request);
}

describe("a policy pack", () => {
  const classes = [
    [
      "VmRestore",
      validateResourceOfType(VmRestore, (_props, _args, report) => report("found")),
      resourceTypes.VmRestore,
    ],
    [
      "FileRestore",
      validateResourceOfType(FileRestore, (_props, _args, report) => report("found")),
      resourceTypes.FileRestore,
    ],
    ["RecoveryPlan", validateResourceOfType(RecoveryPlan, (_props, _args, report) => report("found")), planType],
  ] as const;
  const types = [...Object.values(resourceTypes), ...Object.values(pluginTypes), planType];

  for (const [name, validateResource, type] of classes) {
    it(`finds each ${name} by its class, and nothing else`, async () => {
      const policy = { name: "any", description: "", validateResource };
      const found = await Promise.all(
        types.map(async (one) => ((await ofResource([policy], { type: one, name: "web" })).length > 0 ? one : [])),
      );
      assert.deepEqual(found.flat(), [type]);
    });
  }
});

describe("the example of a policy pack", () => {
  const settings: Readonly<Record<string, object>> = {
    "restore-has-ticket": { pattern: "\\bCHG-\\d+\\b" },
    "restore-within-hours": { from: 20, to: 6 },
    "restore-few-machines": { machines: 2 },
  };
  /** The rules at an hour, with the settings that the engine would hand over. */
  const rulesAt = (hour: number): Policies =>
    rules(() => new Date(Date.UTC(2026, 10, 20, hour, 30))).map((policy) => {
      const configured =
        <Args extends object, Report>(rule: (args: Args, report: Report) => Promise<void> | void) =>
        (args: Args, report: Report) =>
          rule({ ...args, getConfig: () => settings[policy.name] }, report);
      return "validateStack" in policy
        ? { ...policy, validateStack: configured(policy.validateStack) }
        : { ...policy, validateResource: [policy.validateResource ?? []].flat().map(configured) };
    });
  const vm = (name: string, ...triggers: string[]): Resource => ({
    type: resourceTypes.VmRestore,
    name,
    props: { virtualMachineId: name, triggers },
  });
  const files = (name: string): Resource => ({ ...vm(name), type: resourceTypes.FileRestore });

  it("asks for a ticket among the triggers", async () => {
    const message = (name: string) => [
      `restore-has-ticket: Each restore has among its triggers the ticket that allows it.\nnone of the triggers of ${name} is a ticket (\\bCHG-\\d+\\b)`,
    ];
    assert.deepEqual(await ofResource(rulesAt(22), vm("web", "2026-Q4")), message("web"));
    assert.deepEqual(await ofResource(rulesAt(22), files("etc")), message("etc"));
    for (const one of [
      vm("web", "2026-Q4", "CHG-1234"),
      vm("web", "2026-Q4 CHG-1234"),
      { type: "other:index:Thing", name: "it" },
    ]) {
      assert.deepEqual(await ofResource(rulesAt(22), one), []);
    }
  });

  it("keeps to its hours, across midnight", async () => {
    const hours = await Promise.all(
      [0, 5, 6, 12, 19, 20, 23].map(async (hour) => [
        hour,
        (await ofResource(rulesAt(hour), vm("web", "CHG-1"))).length,
      ]),
    );
    assert.deepEqual(hours, [
      [0, 0],
      [5, 0],
      [6, 1],
      [12, 1],
      [19, 1],
      [20, 0],
      [23, 0],
    ]);
  });

  it("counts each machine once", async () => {
    assert.deepEqual(await ofStack(rulesAt(22), [vm("1"), files("1"), vm("2")]), []);
    assert.match(
      String(await ofStack(rulesAt(22), [vm("1"), vm("2"), files("3")])),
      /3 machines are restored, and at most 2 may be/,
    );
  });
});
