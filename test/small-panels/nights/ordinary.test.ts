import assert from "node:assert/strict";
import { files, web } from "../stage";
import { iso } from "../spelling";
import { bare, named, onTrap, stamped, type Trap } from "../trap";

const minute = 60_000;
const stampedOnly: Trap["row"] = ({ status, action, at }) => ({ status, action, created_at: iso(at) });

describe("a list that becomes unreadable right after the last POST", () => {
  for (const [rows, row] of Object.entries({ "id and status": bare, timestamps: stamped }))
    it(`makes no restore fail if it is readable again after three minutes, and is reported in each restore's progress (rows with ${rows})`, async () => {
      let from = Infinity;
      const declared = ["42", "43", "44"].map((machine) => ({ ...web, machine }));
      const stage = onTrap({ row }, { declared, restoreSeconds: 600 }, ({ method }, usual, world) => {
        const isOut = method === "GET" && world.now() >= from && world.now() < from + 3 * minute;
        return isOut ? { status: 503 } : usual();
      });
      stage.onPosted = () => {
        if (stage.posted.length === 3) from = stage.time.now();
      };
      const { progress } = await stage.up();
      assert.deepEqual([stage.statuses(), stage.posted.length], [Array(3).fill("complete"), 3]);
      assert.ok(progress.filter((text) => text.includes("list cannot be read, trying again")).length >= 3);
    });

  it("is reported as unreadable, not as lacking the restore, if it stays unreadable until a limit is reached", async () => {
    let isOut = false;
    const stage = onTrap({ row: named }, { restoreSeconds: 60 }, ({ method }, usual) => {
      if (method === "POST") isOut = true;
      else if (isOut) return { status: 503 };
      return usual();
    });
    assert.match(await stage.said(), /was sent, but the panel's list could not be read within timeouts\.run \(4h\): /);
  });
});

describe("a colleague's restore on the panel", () => {
  it("is not offered for adoption in place of a failed machine restore if it restored only files", async () => {
    const stage = onTrap({ row: stamped }, { restoreSeconds: 100 });
    await stage.upFailing();
    stage.panel.work("42", "restore_file_entries");
    await stage.time.advance(5 * minute);
    const said = await stage.said();
    assert.match(said, /may have restored the machine since/);
    assert.doesNotMatch(said, /adopt: "132"/);
  });

  it("is named in a warning if a first `pulumi up` overwrites it after waiting for a backup", async () => {
    const stage = onTrap({ row: stamped }, { restoreSeconds: 300 });
    stage.panel.work("42", "backup");
    await stage.time.advance(1_000);
    stage.time.after(2 * minute, () => stage.panel.work("42", "restore"));
    assert.match((await stage.up()).warnings.join("\n"), /was restored while this restore waited.*transaction 132/);
  });
});

it("a cancelled run ends promptly if its restore is still waiting for the machine, because nothing more will be sent", async () => {
  const stage = onTrap({ row: named }, { restoreSeconds: 1_500 });
  stage.panel.work("42", "backup");
  const began = stage.time.now();
  await stage.up({ during: (process) => void stage.time.after(minute, () => (process.orphaned = true)) });
  assert.equal(stage.posted.length, 0);
  assert.ok(stage.time.now() - began < 3 * minute);
});

it("a panel that writes its local time as UTC is not sent a restore while the machine's queued backup has a start_after equal to its created_at", async () => {
  const row: Trap["row"] = (job) => {
    const ahead = iso(job.at + 120 * minute);
    const status = job.no === 131 && job.now < job.at + minute ? "pending" : job.status;
    return { ...named(job), status, created_at: ahead, start_after: ahead };
  };
  const stage = onTrap({ row }, { restoreSeconds: 100 });
  const from = stage.time.now();
  stage.panel.work("42", "backup");
  await stage.completes(1);
  assert.ok((stage.postedAt[0] ?? 0) - from > minute);
});

it("a machine's log that names whole-machine restores but no file restores causes no second POST after a kill", async () => {
  const events: Trap["events"] = (own) =>
    own.filter(({ what }) => what !== "files").map(({ no }) => ({ target_type: "Transaction", target_id: no }));
  const stage = onTrap({ row: bare, events }, { declared: [web, files], restoreSeconds: 60 });
  await stage.killed(3_000, 2);
  await stage.time.advance(5 * minute);
  await stage.up();
  assert.equal(stage.posted.length, 2);
});

describe("other work on the panel", () => {
  for (const word of ["hot_migrate", "update_firewall", "configure_operating_system", "format_disk"])
    it(`does not hold back a restore that a killed run never sent, even if the work was on the same machine (${word})`, async () => {
      const action = (usual: string): string => (usual === "resize" ? word : usual);
      const stage = onTrap({ row: named, action }, { restoreSeconds: 60 });
      stage.panel.work("7", "restore");
      stage.panel.work("42", "backup");
      await stage.up({ kill: stage.time.pause(20_000) });
      stage.panel.work("42", "resize");
      await stage.time.advance(10 * minute);
      await stage.completes(1);
    });

  it("does not hold back a second attempt, even if rows name no machine and the work begins during the search", async () => {
    const stage = onTrap({ row: stampedOnly }, { restoreSeconds: 60 });
    stage.othersWork(45_000, ["start", "backup", "stop"]);
    await stage.upFailing();
    await stage.time.advance(5 * minute);
    await stage.completes(2);
  });

  it("is shown with advice to set `restoreActions` if its action may be the panel's word for a restore and rows name no machine", async () => {
    const saidOf = (row: Trap["row"], word: string): Promise<string> =>
      onTrap({ row, action: (what) => (what === "restore" ? word : what) }, { restoreSeconds: 60 }).said();
    const said = await saidOf(stampedOnly, "rollback");
    assert.match(said, /If transaction 131 is the restore, set adopt: "131".*\n {2}if "rollback" means a restore/);
    const other = await saidOf(named, "backup_virtual_machine");
    assert.match(other, /^(?!.*restoreActions).*not listed it.*The next `pulumi up` looks again; .*set adopt/s);
  });
});

for (const [rows, row] of Object.entries({ "id and status": bare, timestamps: stamped }))
  it(`a machine and its files are restored again by each new trigger and each new point without asking the user (rows with ${rows})`, async () => {
    const stage = onTrap({ row }, { declared: [web, files], restoreSeconds: 20 });
    for (let count = 1; count <= 6; count++) {
      await stage.completes(2 * count);
      await stage.time.advance(10 * minute);
      if (count < 3) stage.newTriggers(0);
      else stage.change(0, { point: String(1_007 + count) });
    }
  });
