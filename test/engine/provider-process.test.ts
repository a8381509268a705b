import assert from "node:assert/strict";
import { startSandbox, type Sandbox } from "../../sandbox";
import { freshProcess, processOn } from "./support/fresh-process";

const target = { virtualMachineId: "42", recoveryPointId: "1007" };

async function intentOn({ intent }: ReturnType<typeof freshProcess>): Promise<Record<string, unknown>> {
  const { id, outs } = await intent.create({ kind: "VmRestore", ...target, triggers: [] });
  const { mark, kind, virtualMachineId, recoveryPointId } = outs;
  const urn = "urn:pulumi:s::p::pulumi-nodejs:recovery:Intent::web-vm-intent";
  return { id, urn, mark, madeFor: { kind, virtualMachineId, recoveryPointId } };
}

const posts = (panel: Sandbox): number => panel.requests().filter(({ method }) => method === "POST").length;

describe("a provider process", () => {
  let panel: Sandbox;
  beforeEach(async () => {
    panel = await startSandbox({ speed: 200 });
  });
  afterEach(() => panel.stop());

  it("is configured once for all its resources, and posts a restore only once, however often the engine requests it", async () => {
    const own = processOn(panel);
    const __intent = await intentOn(own);
    const alone = { ...target, wait: false, timeouts: { settle: 0 }, __provider: "text" };
    const inputs = { ...alone, __intent };
    const madeFor = { ...(__intent["madeFor"] as object), virtualMachineId: "43" };
    const other = { ...alone, __intent: { ...__intent, madeFor } };
    await assert.rejects(own.vmRestore.create(alone), /not sent: its intent is missing/);
    const behind = { ...inputs, __previous: { urn: "urn:pulumi:s::p::t::db", status: "failed" } };
    await assert.rejects(
      own.vmRestore.create(behind),
      /"db", the previous restore of the same machine, is not complete \(failed\)/,
    );
    await assert.rejects(own.vmRestore.create(other), /made for another restore \(different virtualMachineId\)/);
    const [first, second] = await Promise.all([own.vmRestore.create(inputs), own.vmRestore.create(inputs)]);
    assert.deepEqual([second, posts(panel)], [first, 1]);
  });

  it("stores a warning about a newer point that its rule could not choose", async () => {
    panel.addRecoveryPoint(42, { state: "merging" });
    const { vmRestore, intent } = processOn(panel);
    const rule = { virtualMachineId: "42", recoveryPoint: { pick: "newest" } };
    const { id, outs } = await intent.create({ __kind: "VmRestore", ...rule });
    const { mark, choice, recoveryPointId } = outs;
    const madeFor = { kind: "VmRestore", ...rule, recoveryPointId };
    const __intent = { id, urn: "urn:pulumi:s::p::t::web-vm-intent", mark, choice, madeFor };
    const inputs = { ...rule, recoveryPointId, wait: false, timeouts: { settle: 0 }, __intent };
    const made = await vmRestore.create(inputs);
    assert.match(String(made.outs["warnings"]), /^recovery point .* instead of \d+ \(merging/);
    for (const name of ["recoveryPointId", "recoveryPoint"]) {
      const { replaces = [] } = await vmRestore.diff(made.id, made.outs, { ...inputs, [name]: undefined });
      assert.ok(!replaces.includes(name), "a point and the rule that chose it are the same");
    }
  });

  it("reports missing settings only when it needs a panel", async () => {
    const { intent, vmRestore } = freshProcess();
    intent.configure(undefined);
    const updated = (record: object) =>
      vmRestore.update("5015", { ...target, wait: false, ...record }, { ...target, wait: false });
    await updated({ status: "running", transactionIds: ["5015"] });
    const stored = { ...target, status: "complete", transactionIds: ["5015"] };
    assert.deepEqual(await vmRestore.read("5015", stored), { id: "5015", props: stored });
    await assert.rejects(updated({ status: "sent", transactionIds: [] }), /recovery:endpoint is not set/);
    await assert.rejects(
      intent.create({ __kind: "VmRestore", ...target }),
      /machine 42.*was not sent.*recovery:endpoint is not set/s,
    );
  });

  it("advises changing a setting at its source: the stack, an explicit provider or the environment", async () => {
    await panel.stop();
    const recoveryPoints = [{ id: 1007, state: "pending" }];
    const word = { machineId: 42, action: "take_backup", seconds: 1, ageSeconds: 60 } as const;
    panel = await startSandbox({
      scenario: { machines: [{ id: 42, recoveryPoints }], transactions: [{ ...word, status: "complete" }] },
    });
    const byRule = { __kind: "VmRestore", virtualMachineId: "42", recoveryPoint: { pick: "newest" } };
    const mark = { panel: "https://old.example", ended: ["1"] };
    const urn = "urn:pulumi:s::p::pulumi-nodejs:recovery:Intent::web-vm-intent";
    const intended = { ...target, __intent: { id: "x-1", urn, mark, madeFor: { kind: "VmRestore", ...target } } };
    const { url, username, password } = panel;
    const settingsOfProvider = "dr-site endpoint password pointStates";
    const provider = { "recovery:settingsOfProvider": settingsOfProvider, "recovery:pointStates": "x" };
    const environment = { RECOVERY_ENDPOINT: url, RECOVERY_USERNAME: username, RECOVERY_PASSWORD: password };
    const fails = (made: Promise<unknown>, advice: string) =>
      assert.rejects(made, ({ message }: Error) => message.includes(advice));
    for (const [process, pointStates, endpoint] of [
      [processOn(panel), "`pulumi config set recovery:pointStates <state>`", "`pulumi config set recovery:endpoint "],
      [
        processOn(panel, provider),
        "`pointStates: <state>` of the provider dr-site",
        "`endpoint: https://old.example` of the provider dr-site), or change triggers",
      ],
      [
        freshProcess({ ...environment, RECOVERY_POINT_STATES: "x" }),
        "`export RECOVERY_POINT_STATES=<state>`",
        "`export RECOVERY_ENDPOINT=https://old.example`",
      ],
    ] as const) {
      await fails(process.intent.create(byRule), pointStates);
      await fails(process.vmRestore.create(intended), endpoint);
    }
    for (const [settings, advice] of [
      [{}, "`pulumi config set --secret recovery:password` (or"],
      [provider, "`password` of the provider dr-site (or"],
    ] as const)
      await fails(processOn({ ...panel, password: "wrong" }, settings).intent.create(byRule), advice);
  });
});
