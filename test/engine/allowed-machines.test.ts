import assert from "node:assert/strict";
import { unknownString } from "../../provider/inputs/read-values";
import type { Format } from "../../provider/panel/types";
import { hidden } from "../../provider/plan/stored";
import { postRestore } from "../../provider/restore/post-restore";
import { startSandbox } from "../../sandbox";
import { makeIntent, runOf, requestFor } from "../support/restore-programs";
import { virtualPanel } from "../support/virtual-panel";
import { configuredProcess, processOn } from "./support/fresh-process";
import { type Declared, stackOn } from "./support/model-stack";

const others = [{ where: "RECOVERY_ALLOWED_MACHINES", ids: ["41"] }];
const refused =
  /^(file )?restore "web" \(machine 42.*\) was not sent: machine 42 is not among the machines that may be restored: it is not in RECOVERY_ALLOWED_MACHINES \(41\)\./;

const kinds: readonly (readonly [string, Declared["kind"], object])[] = [
  ["a machine", "VmRestore", { recoveryPointId: "1007" }],
  ["files", "FileRestore", { recoveryPointId: "1007", paths: ["/etc"] }],
  ["a machine by a rule", "VmRestore", { recoveryPoint: "newest" }],
  ["a transaction that adopt names", "VmRestore", { recoveryPointId: "1007", adopt: "5001" }],
];

describe("a machine that is not allowed", () => {
  for (const [what, kind, args] of kinds) {
    it(`restoring ${what}: the intent is refused by its restore's name, and not one request is sent`, async () => {
      const { panel, stack } = stackOn([{ name: "web", kind, args: { virtualMachineId: "42", ...args } }]);
      stack.allowedMachines = others;
      const { errors } = await stack.up();
      assert.match(errors["web"] ?? "", refused);
      assert.deepEqual([panel.requests, stack.intentIdOf("web")], [0, undefined]);
    });
  }

  it("is refused by create as well, of a restore whose intent an earlier run has made", async () => {
    const web: Declared = { name: "web", kind: "VmRestore", args: { virtualMachineId: "42", recoveryPointId: "1007" } };
    const { panel, stack } = stackOn([web]);
    await stack.up({ killAfterPosts: 1 });
    const { requests } = panel;
    stack.allowedMachines = others;
    assert.match(
      (await stack.up()).errors["web"] ?? "",
      /virtualMachineId: machine 42 is not among .* Nothing was sent\./,
    );
    assert.equal(panel.requests, requests);
  });

  it("is refused by create alone, without a check before it, before anything is read", async () => {
    const panel = await startSandbox({ speed: 200 });
    try {
      const target = { virtualMachineId: "42", recoveryPointId: "1007" };
      const { id, outs } = await processOn(panel).restoreIntent.create({ kind: "VmRestore", ...target, triggers: [] });
      const asked = panel.requests().length;
      const urn = "urn:pulumi:s::p::pulumi-nodejs:dynamic/recovery:RestoreIntent::web-vm-intent";
      const intent = { id, urn, mark: outs["mark"], madeFor: { kind: "VmRestore", ...target } };
      const later = processOn(panel, { "recovery:allowedMachines": "41" });
      await assert.rejects(
        later.vmRestore.create({ ...target, __provider: "text", intent }),
        /restore "web" .* was not sent: machine 42 is not among/,
      );
      assert.equal(panel.requests().length, asked);
    } finally {
      await panel.stop();
    }
  });
});

for (const format of ["json", "xml"] as const satisfies readonly Format[]) {
  it(`a machine that is not allowed is refused right before its POST, whatever has let it come that far, ${format}`, async () => {
    const panel = virtualPanel(format);
    const session = panel.newSession({ allowedMachines: others });
    const { result } = await panel.clock.run(
      (async () => postRestore(runOf(session, requestFor(await makeIntent(session, "42"))), { kind: "first" }))(),
    );
    assert.equal(result.kind, "not-posted");
    assert.match(result.kind === "not-posted" ? result.reason : "", /was not sent: machine 42 is not among/);
    assert.equal(panel.sandbox.acceptedPosts(), 0);
  });
}

describe("the preview of a machine that is not allowed", () => {
  const process = (list: string) => configuredProcess({ "recovery:allowedMachines": list });
  const reasons = (failures: readonly { readonly reason: string }[]): string =>
    failures.map(({ reason }) => reason).join("\n");
  const point = { recoveryPointId: "7" };

  it("is an error of both kinds of restores that names machine, setting and place, without any other setting", () => {
    const { vmRestore, fileRestore } = process("41");
    for (const { failures } of [
      vmRestore.check({}, { virtualMachineId: 42, ...point }),
      fileRestore.check({}, { virtualMachineId: "42", paths: ["/etc"], ...point }),
    ]) {
      assert.equal(
        reasons([...failures]),
        "virtualMachineId: machine 42 is not among the machines that may be restored: it is not in recovery:allowedMachines in the stack's " +
          "configuration (41). Nothing was sent. Correct the id; or, if this machine may be overwritten, add it there.",
      );
    }
    assert.deepEqual(vmRestore.check({}, { virtualMachineId: 41, ...point }).failures, []);
  });

  it("waits with an id that is not known, and says once that an id is none", () => {
    const { vmRestore } = process("41");
    assert.deepEqual(vmRestore.check({}, { virtualMachineId: unknownString, ...point }).failures, []);
    assert.equal(vmRestore.check({}, { virtualMachineId: "a b", ...point }).failures.length, 1);
  });

  it("is an error where the list is an empty text", () => {
    const { failures } = process("").vmRestore.check({}, { virtualMachineId: 41, ...point });
    assert.match(reasons([...failures]), /No request was made.*allowedMachines in the stack's configuration is empty/s);
  });

  it("names the restore of a plan, and its first resource fails, before which nothing of the plan is sent", () => {
    const { planRun } = process("41");
    const restores = {
      web: { virtualMachineId: "41" },
      db: { virtualMachineId: "42" },
      late: { virtualMachineId: unknownString },
    };
    const asGiven = { waves: [{ name: "all", restores: { ...restores, secret: { virtualMachineId: hidden } } }] };
    const { failures } = planRun.check({}, { run: "a", asGiven });
    assert.deepEqual(
      failures.map(({ property }) => property),
      ["waves[0].restores.db"],
    );
    assert.match(reasons([...failures]), /^waves\[0\]\.restores\.db: machine 42 is not among/);
  });

  it("tells a plan once what is wrong for several of its restores", () => {
    const web = { virtualMachineId: "42" };
    const asGiven = { waves: [{ name: "all", restores: { web, content: web, db: { virtualMachineId: "43" } } }] };
    const told = (list: string) =>
      [...process(list).planRun.check({}, { run: "a", asGiven }).failures].map(({ reason }) => reason);
    assert.match(
      told("").join("\n\n"),
      /^waves\[0\]\.restores\.web, waves\[0\]\.restores\.content and 1 more: No request.* is empty[^\n]*$/s,
    );
    const [machine, other, ...more] = told("41");
    assert.match(machine ?? "", /^waves\[0\]\.restores\.web, waves\[0\]\.restores\.content: machine 42 is not among/);
    assert.match(other ?? "", /^waves\[0\]\.restores\.db: machine 43 is not among/);
    assert.deepEqual(more, []);
  });
});
