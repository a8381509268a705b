import assert from "node:assert/strict";
import { pluginTypes, resourceTypes } from "../../provider/inputs/resource-names";
import { type Fate, goodFate, type PanelAtWork } from "../restore/support/panel-at-work";
import { type Declared, stackOn } from "./support/model-stack";

const second = 1_000;
const minute = 60 * second;

const machine = { virtualMachineId: "42", recoveryPointId: "1007" } as const;
const left = { wait: false } as const;
const vm = (name: string, args: object = left): Declared => ({
  name,
  kind: "VmRestore",
  args: { ...machine, ...args },
});
const files = (name: string, args: object = left): Declared => ({
  name,
  kind: "FileRestore",
  args: { ...machine, paths: ["/etc/hosts"], ...args },
});
const failing: Fate = { ...goodFate, outcome: "failed" };
const lasting = (forMs: number): Fate => ({ ...goodFate, runsForMs: forMs });

/** What was carried out on the panel, in its order. */
function done(panel: PanelAtWork): readonly string[] {
  return panel.posts.map(({ order, work }) => `${order.kind} ${work?.status ?? "not carried out"}`);
}

const inOrder = ["VmRestore failed", "VmRestore complete", "FileRestore complete"];

for (const [name, planned] of [
  ["a pair of restores", false],
  ["a pair of restores of a plan", true],
] as const) {
  const scene = (program: readonly Declared[], fates: readonly Fate[] = []) => {
    const it = stackOn(program, { fates });
    if (planned) for (const { name } of program) it.stack.planned.add(name);
    /** The error of one that was not sent: of a plan it is stored instead. */
    const whyNot = (errors: Readonly<Record<string, string>>, name: string): string =>
      planned ? ((it.stack.outs(name)["warnings"] as readonly string[] | undefined)?.[0] ?? "") : (errors[name] ?? "");
    return { ...it, whyNot };
  };

  describe(`${name} of one machine`, () => {
    it("is restored in the program's order, also where the first one fails once: pulumi up --refresh goes on", async () => {
      const { panel, stack, whyNot } = scene([vm("web"), files("content")], [failing]);
      const { errors } = await stack.up();
      assert.match(
        whyNot(errors, "content"),
        /^file restore "content" .* was not sent: "web".*failed \(transaction 5001\).*`pulumi up --refresh` restores "web" again/s,
      );
      assert.equal(stack.outs("content")["status"], planned ? "not sent" : undefined);
      assert.deepEqual(done(panel), ["VmRestore failed"]);
      await stack.refresh();
      assert.deepEqual((await stack.up()).errors, {});
      await panel.time.advance(10 * minute);
      assert.deepEqual(done(panel), inOrder);
      await stack.refresh();
      assert.deepEqual([stack.outs("web")["status"], stack.outs("content")["status"]], ["complete", "complete"]);
      assert.deepEqual((await stack.up()).calls, []);
    });

    it("is not sent behind one that a person has cancelled, and goes on by its new triggers", async () => {
      const { clock, panel, stack, idsOf, whyNot } = scene([vm("web"), files("content")], [lasting(20 * minute)]);
      clock.after(minute, () => panel.end(idsOf(0)[0]!, "cancelled"));
      const { errors } = await stack.up();
      assert.match(
        whyNot(errors, "content"),
        /was cancelled.*Change its triggers, set adopt on it .* or take it out of the program/s,
      );
      stack.change("web", { triggers: ["again"] });
      assert.deepEqual((await stack.up()).errors, {});
      await panel.time.advance(10 * minute);
      assert.deepEqual(done(panel), ["VmRestore cancelled", "VmRestore complete", "FileRestore complete"]);
    });

    it("goes on behind a cancelled one by adopt on it of what a person restored instead", async () => {
      const { clock, panel, stack, idsOf } = scene([vm("web"), files("content")], [lasting(20 * minute)]);
      clock.after(minute, () => panel.end(idsOf(0)[0]!, "cancelled"));
      await stack.up();
      panel.order({ machine: "42", kind: "VmRestore", point: "1007" }, "person");
      await clock.advance(10 * minute);
      const own = panel.works.at(-1)!.parts.at(-1)!.id;
      stack.change("web", { adopt: own });
      assert.deepEqual((await stack.up()).errors, {});
      await clock.advance(10 * minute);
      assert.deepEqual(done(panel), ["VmRestore cancelled", "FileRestore complete"]);
    });

    it("waits behind one of 45 minutes and is then sent, with the limits as they are by default", async () => {
      const { panel, stack } = scene([vm("web"), files("content")], [lasting(45 * minute)]);
      assert.deepEqual((await stack.up()).errors, {});
      await panel.time.advance(10 * minute);
      assert.deepEqual(done(panel), ["VmRestore complete", "FileRestore complete"]);
    });

    it("is not sent behind one whose own limit has passed, and the next run goes on waiting", async () => {
      const limits = { ...left, timeouts: { run: "10m" } };
      const { panel, stack, whyNot } = scene([vm("web", limits), files("content")], [lasting(25 * minute)]);
      const { errors } = await stack.up();
      assert.match(whyNot(errors, "content"), /has not been seen to end \(transaction 5001\).*run limit of 10m/s);
      await panel.time.advance(10 * minute);
      assert.deepEqual((await stack.up()).errors, {});
      await panel.time.advance(10 * minute);
      assert.deepEqual(done(panel), ["VmRestore complete", "FileRestore complete"]);
    });

    for (const afterMs of [3 * second, 30 * second, 4 * minute]) {
      it(`makes no intent in a run that is killed while it waits, ${String(afterMs / second)} s after the start`, async () => {
        const { panel, stack } = scene([vm("web"), files("content")], [lasting(5 * minute)]);
        await stack.up({ killAfterMs: afterMs });
        assert.deepEqual(stack.intentOf("content"), {});
        assert.deepEqual((await stack.up()).errors, {});
        await panel.time.advance(10 * minute);
        assert.deepEqual(done(panel), ["VmRestore complete", "FileRestore complete"]);
        assert.equal(stack.outs("content")["adopted"], false, "the try of the next run is a first one");
      });
    }

    it("waits behind one that an earlier run has left under way, however far down the list it lies", async () => {
      const { panel, stack, whyNot } = scene(
        [vm("web", { ...left, timeouts: { run: "10m" } })],
        [lasting(25 * minute)],
      );
      await stack.up();
      for (let made = 0; made < 500; made++) panel.order({ machine: "44", kind: "backup" }, "panel", "complete", 0);
      stack.program = [...stack.program, files("content")];
      if (planned) stack.planned.add("content");
      const { errors } = await stack.up();
      assert.match(whyNot(errors, "content"), /has not been seen to end \(transaction 5001\).*run limit of 10m/s);
      assert.equal(panel.posts.length, 1);
      await panel.time.advance(20 * minute);
      await stack.up();
      await panel.time.advance(2 * minute);
      assert.deepEqual(done(panel), ["VmRestore complete", "FileRestore complete"]);
    });

    it("waits in its own create where an earlier run has made its intent, and the one before is restored again", async () => {
      const { panel, stack, whyNot } = scene([vm("web"), files("content")]);
      await stack.up({ killAfterPosts: 2 });
      await panel.time.advance(10 * minute);
      panel.fates.unshift(failing);
      stack.change("web", { triggers: ["again"] });
      const { errors } = await stack.up();
      assert.match(whyNot(errors, "content"), /was not sent: "web".*failed/s);
      assert.equal(panel.posts.length, 3);
    });
  });
}

describe("a held back restore of a plan", () => {
  const scene = (program: readonly Declared[], fates: readonly Fate[]) => {
    const it = stackOn(program, { fates });
    for (const { name } of program) it.stack.planned.add(name);
    return it;
  };

  it("has an intent without a mark, on the strength of which nothing is sent, also with --target", async () => {
    const { panel, stack } = scene([vm("web"), files("content")], [failing]);
    await stack.up();
    assert.deepEqual(Object.keys(stack.intentOf("content")["mark"] as object), ["heldBack"]);
    assert.equal(stack.outs("content")["status"], "not sent");
    for (let run = 0; run < 2; run++) {
      await stack.up({ target: ["content"] });
      assert.deepEqual([stack.outs("content")["status"], panel.posts.length], ["not sent", 1]);
    }
  });

  it("is tried for the first time by the next run: its new intent is that run's own", async () => {
    const { clock, panel, stack } = scene([vm("web"), files("content")], [failing]);
    await stack.up();
    await stack.refresh();
    const began = clock.now();
    const { calls } = await stack.up();
    assert.deepEqual(calls, ["create web", "create content's intent", "create content"]);
    const [, , sent] = panel.posts;
    // The retry of web looks back for two minutes and a half; content does not.
    assert.ok(sent!.sentAt - began < 4 * minute, String((sent!.sentAt - began) / second));
  });

  it("is stored as not sent behind one that is not sent itself, and says so", async () => {
    const { panel, stack } = scene([vm("web"), files("content"), files("more")], [failing]);
    await stack.up();
    assert.deepEqual([stack.outs("more")["status"], panel.posts.length], ["not sent", 1]);
    assert.match(String((stack.outs("more")["warnings"] as string[])[0]), /"content".*was not sent either/);
    await stack.refresh();
    assert.equal(stack.outs("more")["status"], "not sent", "a refresh asks nobody about it");
    assert.deepEqual((await stack.up()).errors, {});
    await panel.time.advance(10 * minute);
    assert.deepEqual(done(panel), [...inOrder, "FileRestore complete"]);
  });
});

describe("a machine that is restored again", () => {
  for (const [language, types] of [
    ["TypeScript", resourceTypes],
    ["another language", pluginTypes],
  ] as const) {
    it(`is said of what stands behind it, in each up, and nothing is sent for that unasked: ${language}`, async () => {
      const { panel, stack } = stackOn([vm("web", {}), files("content", {}), files("more", {})], { types });
      assert.deepEqual((await stack.up()).warnings, []);
      assert.deepEqual((await stack.up()).warnings, []);
      stack.change("web", { triggers: ["again"] });
      for (let run = 0; run < 3; run++) {
        const { errors, warnings } = await stack.up();
        assert.deepEqual([errors, warnings.length], [{}, 2]);
        for (const warning of warnings)
          assert.match(warning, /overwritten: "web" was restored again since.*replaceWith: \[web\]/s);
      }
      assert.deepEqual(done(panel).length, 4);
      stack.change("content", { triggers: ["again"] });
      assert.equal((await stack.up()).warnings.length, 1, "the one that was restored behind it is as it should be");
      assert.equal(panel.posts.length, 5);
    });
  }

  for (const ids of ["decimal", "lettered"] as const) {
    const isTold = ids === "decimal";

    it(`is ${isTold ? "" : "not "}said of what 1.0.0 has stored, which does not tell behind what it was sent: ${ids} ids`, async () => {
      const { stack } = stackOn([vm("web", {}), files("content", {})], { ids });
      await stack.up();
      stack.edit("content", (stored) => {
        const { machineTransactionIds, ...outs } = stored;
        assert.ok(machineTransactionIds !== undefined);
        return { outs };
      });
      assert.deepEqual((await stack.up()).warnings, []);
      stack.change("web", { triggers: ["again"] });
      assert.equal((await stack.up()).warnings.length, isTold ? 1 : 0);
    });
  }

  it("is said of what the program has put behind it only since", async () => {
    const { panel, stack } = stackOn([files("content", {})]);
    await stack.up();
    stack.program = [vm("web", {}), ...stack.program];
    for (let run = 0; run < 2; run++) {
      const { errors, warnings } = await stack.up();
      assert.deepEqual([errors, warnings.length], [{}, 1]);
      assert.match(warnings[0] ?? "", /overwritten: "web" was restored again since/);
    }
    assert.deepEqual(done(panel), ["FileRestore complete", "VmRestore complete"]);
  });
});

describe("a run that saves no checkpoints", () => {
  it("sends nothing and says so: no intent would be there after a kill", async () => {
    const { env } = process;
    const before = { skip: env["PULUMI_SKIP_CHECKPOINTS"], experimental: env["PULUMI_EXPERIMENTAL"] };
    const { panel, stack } = stackOn([vm("web", {})]);
    try {
      Object.assign(env, { PULUMI_SKIP_CHECKPOINTS: "true", PULUMI_EXPERIMENTAL: "1" });
      const { errors } = await stack.up();
      assert.match(Object.values(errors).join(), /was not sent: PULUMI_SKIP_CHECKPOINTS is in force/);
      assert.equal(panel.posts.length, 0);
      delete env["PULUMI_EXPERIMENTAL"];
      assert.deepEqual((await stack.up()).errors, {});
    } finally {
      delete env["PULUMI_SKIP_CHECKPOINTS"];
      delete env["PULUMI_EXPERIMENTAL"];
      if (before.skip !== undefined) env["PULUMI_SKIP_CHECKPOINTS"] = before.skip;
      if (before.experimental !== undefined) env["PULUMI_EXPERIMENTAL"] = before.experimental;
    }
  });
});
