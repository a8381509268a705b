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

  it("is configured once for all its resources, and posts a restore once however often the engine asks for it", async () => {
    const providerProcess = processOn(panel);
    const inputs = {
      ...target,
      wait: false,
      timeouts: { settle: 0 },
      __provider: "text",
      __intent: await intentOn(providerProcess),
    };
    const [first, second] = await Promise.all([
      providerProcess.vmRestore.create(inputs),
      providerProcess.vmRestore.create(inputs),
    ]);
    assert.deepEqual(second, first);
    assert.equal(posts(panel), 1);
  });

  it("reports missing settings only when it needs a panel", async () => {
    const { intent } = freshProcess();
    intent.configure(undefined);
    await assert.rejects(
      intent.create({ __kind: "VmRestore", ...target }),
      /machine 42.*was not sent.*recovery:endpoint is not set/s,
    );
  });

  it("names the source of a setting: the stack, an explicit provider or the environment", async () => {
    await panel.stop();
    const recoveryPoints = [{ id: 1007, state: "pending" }];
    const word = { machineId: 42, action: "take_backup", seconds: 1, ageSeconds: 60 } as const;
    panel = await startSandbox({
      scenario: { machines: [{ id: 42, recoveryPoints }], transactions: [{ ...word, status: "complete" }] },
    });
    const byRule = { __kind: "VmRestore", virtualMachineId: "42", recoveryPoint: { pick: "newest" } };
    const mark = { panel: "https://old.example", ended: ["1"] };
    const urn = "urn:pulumi:s::p::pulumi-nodejs:recovery:Intent::web-vm-intent";
    const made = { id: "x-1", urn, mark, madeFor: { kind: "VmRestore", ...target } };
    const intended = { ...target, __provider: "text", __intent: made };
    const ofStack = processOn(panel);
    await assert.rejects(ofStack.intent.create(byRule), /`pulumi config set recovery:pointStates <state>`/);
    await assert.rejects(
      ofStack.vmRestore.create(intended),
      /`pulumi config set recovery:endpoint https:\/\/old\.example`/,
    );

    const ownSettings = { "recovery:settingsOfProvider": "dr-site endpoint pointStates", "recovery:pointStates": "x" };
    const ofProvider = processOn(panel, ownSettings);
    await assert.rejects(ofProvider.intent.create(byRule), /`pointStates: <state>` of the provider dr-site/);
    const elsewhere = /`endpoint: https:\/\/old\.example` of the provider dr-site\), or change triggers/;
    await assert.rejects(ofProvider.vmRestore.create(intended), elsewhere);
    const stored = {
      ...intended,
      status: "running",
      transactionIds: ["5"],
      __intent: { id: "x-1", urn, panel: mark.panel },
    };
    await assert.rejects(
      ofProvider.vmRestore.update("5", stored, { ...intended, wait: true }),
      (error: Error & { readonly reasons?: readonly string[] }) => elsewhere.test(error.reasons?.join() ?? ""),
    );
    const { url, username, password } = panel;
    for (const [process, advice] of [
      [processOn({ ...panel, password: "wrong" }), "`pulumi config set --secret recovery:password` (or"],
      [
        processOn({ ...panel, password: "wrong" }, { "recovery:settingsOfProvider": "dr-site password" }),
        "`password` of the provider dr-site (or",
      ],
    ] as const)
      await assert.rejects(process.intent.create(byRule), ({ message }: Error) => message.includes(advice));
    const ofEnvironment = freshProcess({
      ...{ RECOVERY_ENDPOINT: url, RECOVERY_USERNAME: username, RECOVERY_PASSWORD: password },
      RECOVERY_POINT_STATES: "x",
    });
    await assert.rejects(ofEnvironment.intent.create(byRule), /`export RECOVERY_POINT_STATES=<state>`/);
    await assert.rejects(ofEnvironment.vmRestore.create(intended), /`export RECOVERY_ENDPOINT=https:\/\/old\.example`/);
  });
});
