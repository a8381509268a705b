import assert from "node:assert/strict";
import { web } from "./stage";
import { bare, named, onTrap, stamped, type Trap } from "./trap";

describe("a failed attempt", () => {
  const parts = (end: string) => [{ action: "stop_virtual_machine", seconds: 5 }, { end }];
  const answer = ([, restore]: readonly number[]) => ({ status: 202, body: { transaction: { id: restore } } });
  const row: Trap["row"] = (job) => ({ ...stamped(job), action: undefined });
  it("is not considered complete by the next `up` just because an unlinked part is complete", async () => {
    const stage = onTrap({ row, parts, answer });
    await stage.upFailing();
    assert.deepEqual([stage.statuses(), stage.idsOf(0)], [["failed"], ["132"]]);
    assert.equal((await stage.up()).errors.size, 0);
    assert.deepEqual([stage.posted.length, stage.idsOf(0).slice(-1)], [2, ["134"]]);
  });

  it("is not sent again if it was cancelled, and a warning says so", async () => {
    const stage = onTrap({ row: stamped, parts: () => [{ end: "cancelled" }] });
    await stage.up();
    assert.match(
      (await stage.up()).warnings.join(),
      /^this restore's status is cancelled \(transaction 131\): .* sends nothing/,
    );
  });

  it("is reported with the end of its log, even if the log is a single line", async () => {
    const row: Trap["row"] = (job) => ({ ...named(job), ...(job.detailed && { log_output: "Fatal: disk full" }) });
    const stage = onTrap({ row });
    stage.failing.add("42");
    const { warnings } = await stage.up();
    assert.match(
      warnings.join("\n"),
      /the end of the restore's log \(anything that looks like a secret is masked\):\n {2}Fatal: disk full$/m,
    );
  });

  it("is not adopted again, even if `adopt` still names it", async () => {
    const stage = onTrap({ row: stamped });
    stage.failing.add("42");
    stage.panel.work("42", "restore");
    stage.change(0, { adopt: "131" });
    let warned: readonly string[] = [];
    for (const posts of [0, 1, 2, 3]) {
      ({ warnings: warned } = await stage.up());
      assert.deepEqual([stage.idsOf(0), stage.posted.length], [[String(131 + posts)], posts]);
    }
    assert.match(warned.join("\n"), /transaction 133 failed: `pulumi up` overwrites machine 42 again from .* 1007/);
    stage.failing.clear();
    for (const wait of [false, true]) {
      stage.change(0, { wait });
      await stage.up();
    }
    assert.deepEqual([stage.idsOf(0), stage.statuses()], [["135"], ["complete"]]);
  });
});

it("adopt takes effect in the next `up` if it was rejected because the list could not be read", async () => {
  let isDown = false;
  const more = { declared: [{ ...web, wait: false }], restoreSeconds: 600 };
  const stage = onTrap({ row: named }, more, (_request, usual) => (isDown ? { status: 401 } : usual()));
  await stage.up();
  stage.panel.work("42", "restore");
  stage.change(0, { adopt: "132" });
  isDown = true;
  assert.match(await stage.said(), /132, named in adopt, was not adopted/);
  assert.deepEqual(stage.idsOf(0), ["131"]);
  isDown = false;
  await stage.up();
  assert.deepEqual([stage.idsOf(0), stage.posted.length], [["132"], 1]);
});

describe("indistinguishable jobs", () => {
  it("make `up` ask the user after a kill when another restore has claimed them all; adopt then reassigns one", async () => {
    const stage = onTrap({ row: bare, lateMs: 25_000 }, { restoreSeconds: 300 });
    await stage.killed(1_000);
    stage.declared = [web, { ...web, machine: "43" }];
    const { errors } = await stage.up();
    assert.match(errors.get(0) ?? "", /adopt: "131"[^]*transaction 132 /);
    assert.deepEqual(stage.idsOf(1), ["131", "132"]);
    stage.change(0, { adopt: "131" });
    assert.equal((await stage.up()).errors.size, 0);
    assert.deepEqual([stage.idsOf(0), stage.posted.length], [["131"], 2]);
  });

  it("cause a single warning, however many there are", async () => {
    const stage = onTrap({ row: bare }, { restoreSeconds: 600 });
    stage.othersWork(5_000);
    const { warnings } = await stage.up();
    assert.ok(stage.idsOf(0).length > 50);
    assert.deepEqual([warnings.length, stage.outputsOf(0)["warnings"]], [1, warnings]);
  });
});

it("a restore that a run left running fails if its rows are no longer listed, with an error that names both ways to continue", async () => {
  const stage = onTrap({ row: named }, { declared: [{ ...web, wait: false }] });
  await stage.up();
  stage.panel.work("42", "purge");
  stage.change(0, { wait: true });
  assert.match(await stage.said(), /131 is no longer in the panel's list.*remove this restore.*triggers/);
  assert.deepEqual([stage.statuses(), stage.idsOf(0), stage.posted.length], [["pending"], ["131"], 1]);
});
