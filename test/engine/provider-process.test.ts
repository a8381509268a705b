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

  it("is configured once for all its resources, and posts a restore once however often it is asked", async () => {
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

  it("shares nothing with another one: what the one has posted, the other looks for on the panel", async () => {
    const [one, other] = [processOn(panel), processOn(panel)];
    const intent = await intentOn(one);
    const inputs = { ...target, wait: false, timeouts: { listed: 1, settle: 0 }, __provider: "text", __intent: intent };
    assert.equal((await one.vmRestore.create(inputs)).outs["adopted"], false);
    assert.equal((await other.vmRestore.create(inputs)).outs["adopted"], true);
    assert.equal(posts(panel), 1);
  });

  it("says what is missing of its settings when a panel is needed, and not before", async () => {
    const { intent } = freshProcess();
    intent.configure(undefined);
    await assert.rejects(
      intent.create({ __kind: "VmRestore", ...target }),
      /machine 42.*was not sent.*recovery:endpoint is not set/s,
    );
  });
});
