import assert from "node:assert/strict";
import { Process } from "../support/process";
import { OnStage } from "../small-panels/stage";
import { unknownString } from "../../provider/inputs/read-values";
import { stamped, trap } from "../small-panels/trap";
import { calm, type Declared } from "../support/program";

const minute = 60_000;
const etc: Declared = { ...calm, kind: "FileRestore", paths: ["/etc/hosts"] };

const stageOf = (declared: readonly Declared[] = [calm], settings = {}, make = trap({ row: stamped })): OnStage =>
  new OnStage(make, "json", { declared, restoreSeconds: 20, settings });

const posted = (stage: OnStage, from = 0): readonly string[] =>
  stage.posted.slice(from).map(({ machine, point, paths }) => `${paths ? "files" : machine} ${point}`);

describe("a run that was suspended while it waited for the machine", () => {
  const held: Readonly<Record<string, (stage: OnStage, process: object) => void>> = {
    "it was stopped for two minutes": ({ time }, process) => time.suspend(process, 2 * minute, "stopped"),
    "it was asleep for eight hours": ({ time }, process) => time.suspend(process, 480 * minute, "asleep"),
    "only its wall clock was set eight hours ahead": ({ time }) => time.setWall(480 * minute),
  };
  for (const [how, hold] of Object.entries(held))
    it(`leaves the POST to the next up if ${how}`, async () => {
      const stage = stageOf();
      stage.panel.work("42", "backup");
      const during = (process: object): void => void stage.time.after(10_000, () => hold(stage, process));
      assert.match((await stage.up({ during })).errors.get(0) ?? "", /not sent.*suspended/s);
      assert.equal(stage.posted.length, 0);
      assert.equal((await stage.up()).errors.size, 0);
      assert.equal(stage.posted.length, 1);
    });
});

it("a later attempt does not post again when rows are listed twenty seconds late and timeouts.listed is five seconds", async () => {
  const late = trap({ row: stamped, lateMs: 20_000 });
  const stage = stageOf([{ ...calm, timeouts: { listed: 5 } }], {}, late);
  await stage.killed(3_000);
  assert.equal((await stage.up()).errors.size, 0);
  assert.deepEqual([stage.posted.length, stage.outputsOf(0)["adopted"]], [1, true]);
});

for (const wait of [true, false])
  it(`--replace for a restore without its intent restores nothing and says so, and the next up ignores the replacement (wait: ${String(wait)})`, async () => {
    const stage = stageOf([{ ...calm, wait }]);
    await stage.up();
    assert.match((await stage.up({ tainted: [0] })).errors.get(0) ?? "", /nothing was restored/);
    assert.equal((await stage.up()).errors.size, 0);
    assert.equal(stage.posted.length, 1);
  });

it("a restore that was renamed with an alias and gets new triggers is announced only once", async () => {
  const stage = stageOf();
  await stage.up();
  for (const { outputs } of stage.engine.state) {
    const { urn } = (outputs["__intent"] ?? {}) as { urn?: string };
    // An unchanged restore keeps the outputs from before the rename.
    if (urn !== undefined) Object.assign(outputs["__intent"] as object, { urn: urn.replace("r0-vm", "web-vm") });
  }
  stage.newTriggers(0);
  const { progress } = await stage.up();
  const shown = progress.filter((line) => line.startsWith("overwrites"));
  assert.deepEqual(shown, ["overwrites machine 42 again from recovery point 1001: triggers changed"]);
});

it("the preview of a restore with an unknown point does not claim that the point has changed", async () => {
  const stage = stageOf();
  await stage.up();
  stage.change(0, { point: unknownString });
  const line = "overwrites machine 42 again from recovery point (known only later): recoveryPointId known only later";
  assert.ok((await stage.up()).progress.includes(line));
});

it("a restore that runs again only because an earlier restore does is previewed with that reason, and with the settings' warnings", async () => {
  const stage = stageOf([calm, etc]);
  await stage.up();
  const { inputs, outputs } = stage.engine.state.find(({ urn }) => urn.includes(":FileRestore::")) ?? assert.fail();
  const transportOf = () => () => assert.fail("a preview sends no request");
  const settings = { "recovery:endpoint": "http://panel.example" };
  const { operations, said } = new Process("preview", { time: stage.time, transportOf }, { settings });
  const madeNow = { ...inputs, __intent: { ...(inputs["__intent"] as object), id: "x-1" } };
  await operations.FileRestore?.check({}, madeNow);
  const first = said.splice(0).join("\n");
  assert.match(first, /^restores are sent to the panel http:\/\/panel\.example$/m);
  assert.match(first, /^warning: recovery:endpoint is http:\/\/panel\.example, which is plain http/m);
  await operations.FileRestore?.check(outputs, inputs);
  await operations.FileRestore?.diff("1", outputs, { ...inputs, __behind: unknownString, __intent: unknownString });
  assert.match(said.join(), / again from recovery point 1001: an earlier restore of its machine runs first$/);
});

describe("the restores of one machine", () => {
  const program = [calm, etc, { ...etc, point: "1002" }];

  it("are sent in the program's order, and are all sent again after new triggers for the VmRestore, but not for a FileRestore", async () => {
    const all = ["42 1001", "files 1001", "files 1002"];
    const stage = stageOf(program);
    await stage.up();
    assert.deepEqual(posted(stage), all);
    stage.newTriggers(1);
    await stage.up();
    assert.deepEqual(posted(stage, 3), ["files 1001"]);
    stage.newTriggers(0);
    await stage.up();
    assert.deepEqual(posted(stage, 4), all);
  });

  it("are not sent again when the first restore moves to another machine", async () => {
    const stage = stageOf([calm, { ...calm, point: "1002" }, etc]);
    await stage.up();
    stage.change(0, { machine: "43" });
    await stage.up();
    assert.deepEqual(posted(stage, 3), ["43 1001"]);
  });

  it("are not sent after an incomplete restore, even with --target", async () => {
    const stage = stageOf([calm, etc]);
    stage.failing.add("42");
    await stage.up();
    assert.equal(stage.stored(1), undefined);
    assert.match([...(await stage.up({ target: [1] })).errors.values()].join(), /r0.*failed/s);
    assert.equal(stage.posted.length, 1);
  });
});

it("a stack that moves to another panel sends its restore to the new panel, even though the ids are the same", async () => {
  const [first, other] = [stageOf(), stageOf([calm], { "recovery:endpoint": "https://other.example" })];
  await first.up();
  other.engine.state = first.engine.state;
  other.newTriggers(0);
  assert.deepEqual([...(await other.up()).errors.values()], []);
  assert.deepEqual([other.statuses(), other.posted.length], [["complete"], 1]);
});

it("a run sends nothing if PULUMI_SKIP_CHECKPOINTS keeps the engine from saving anything before the run ends", async () => {
  const stage = stageOf();
  const switches = { PULUMI_SKIP_CHECKPOINTS: "true", PULUMI_EXPERIMENTAL: "1" };
  const before = { ...process.env };
  Object.assign(process.env, switches);
  try {
    const { errors } = await stage.up();
    assert.match([...errors.values()].join(), /was not sent: PULUMI_SKIP_CHECKPOINTS is set/);
    assert.equal(stage.posted.length, 0);
  } finally {
    for (const name of Object.keys(switches)) Reflect.deleteProperty(process.env, name);
    Object.assign(process.env, before);
  }
  assert.equal((await stage.up()).errors.size, 0);
  assert.equal(stage.posted.length, 1);
});
