import assert from "node:assert/strict";
import type { PanelAnswer } from "../panel";
import { OnStage, web } from "../stage";
import { bare, named, trap, type Trap, wrapped } from "../trap";

/** A panel that, while refusing, answers each POST with status 200 and this body and carries out nothing. */
function refusing(row: typeof bare, body: unknown) {
  let isRefusing = true;
  const given: PanelAnswer = { status: 200, body };
  const make = wrapped({ row }, ({ method }, usual) => (method === "POST" && isRefusing ? given : usual()));
  const stage = new OnStage(make, "json", { declared: [web], restoreSeconds: 20 });
  return { stage, accept: () => void (isRefusing = false) };
}

const refusals: Readonly<Record<string, unknown>> = {
  '{"error": "locked"}': { error: "machine is locked" },
  '{"success": false}': { success: false, message: "machine is locked" },
  '{"errors": [...]}': { errors: ["machine is locked"] },
  '{"errors": {"base": [...]}}': { errors: { base: ["machine is locked"] } },
  '{"status": "error"}': { status: "error", message: "machine is locked" },
  '{"ok": false}': { ok: false, message: "machine is locked" },
  '{"code": 423}': { code: 423, message: "machine is locked" },
};

describe("a POST answered with status 200 and an error in the body", () => {
  for (const [what, body] of Object.entries(refusals)) {
    it(`causes a question in the panel's words if a row without a machine turns up 40 seconds later: ${what}`, async () => {
      const { stage } = refusing(bare, body);
      stage.time.after(42_000, () => stage.panel.work("9", "restore"));
      const said = (await stage.up()).errors.get(0) ?? "";
      assert.match(
        said,
        /has not listed it: .*the answer was a refusal.*machine is locked.*adopt: "131".*change triggers/s,
      );
      assert.deepEqual([stage.statuses(), stage.idsOf(0)], [["sent"], []]);
    });

    it(`is reported as refused in the panel's words, and the next up searches for the restore and sends it: ${what}`, async () => {
      const { stage, accept } = refusing(named, body);
      const said = (await stage.up()).errors.get(0) ?? "";
      assert.match(said, /was refused by the panel, and is not listed.*the next `pulumi up`.*machine is locked/s);
      assert.deepEqual(stage.statuses(), [undefined]);
      accept();
      await stage.completes(1);
    });
  }

  for (const namesPoint of [true, false])
    it(`${namesPoint ? "is matched" : "causes a question"} if the machine has a job that names ${namesPoint ? "the" : "no"} recovery point`, async () => {
      const row: Trap["row"] = (job) => ({
        ...named(job),
        ...(namesPoint && { recovery_point_id: job.point ?? null }),
      });
      const answer = () => ({ status: 200, body: { error: "e-mail was not sent" } });
      const stage = new OnStage(trap({ row, answer }), "json", { declared: [web], restoreSeconds: 20 });
      const { errors, warnings } = await stage.up();
      assert.match(warnings.join("\n"), /e-mail was not sent/);
      if (!namesPoint) assert.match(errors.get(0) ?? "", /has not listed it: .*adopt: "131"/s);
      if (!namesPoint) stage.change(0, { adopt: "131" });
      const again = await stage.up();
      assert.deepEqual([again.errors, stage.statuses(), stage.posted.length], [new Map(), ["complete"], 1]);
    });

  it("causes a question if an operator restores the machine by hand a minute later", async () => {
    const { stage } = refusing(named, { error: "machine is locked" });
    stage.time.after(60_000, () => stage.panel.work("42", "restore"));
    assert.match((await stage.up()).errors.get(0) ?? "", /machine is locked.*adopt: "131"/s);
    assert.deepEqual(stage.statuses(), ["sent"]);
  });
});

describe("a POST answered with status 200 and a transaction beside an error", () => {
  it("is not matched with a blocking restore that its answer names", async () => {
    const blocked = { success: false, message: "machine is locked", transaction_id: 131 };
    const { stage } = refusing(named, blocked);
    stage.time.after(4_000, () => stage.panel.work("42", "restore"));
    assert.match((await stage.up()).errors.get(0) ?? "", /machine is locked.*adopt: "131"/s);
    assert.deepEqual(stage.statuses(), ["sent"]);
  });

  it("is not repeated if its answer names a transaction that is listed late", async () => {
    const answer: Trap["answer"] = ([id]) => ({
      status: 200,
      body: { error: "e-mail was not sent", transaction_id: id },
    });
    const stage = new OnStage(trap({ row: bare, answer, lateMs: 300_000 }), "json", { declared: [web] });
    await stage.up();
    assert.deepEqual(stage.statuses(), ["sent"]);
    await stage.up();
    await stage.up();
    assert.equal(stage.posted.length, 1);
  });
});

for (const status of [400, 409, 422, 423])
  it(`a restore that the panel refuses with status ${String(status)} fails with the advice to wait for the machine`, async () => {
    const locked: PanelAnswer = { status, body: { errors: ["locked by another transaction"] } };
    const make = wrapped({ row: named }, ({ method }, usual) => (method === "POST" ? locked : usual()));
    const stage = new OnStage(make, "json", { declared: [web] });
    const said = (await stage.up()).errors.get(0) ?? "";
    assert.match(
      said,
      /was refused by the panel.*wait until the machine is no longer busy or locked.*locked by another/s,
    );
    assert.doesNotMatch(said, /recovery:endpoint/);
  });

for (const body of [
  { machine_id: 42, state: "failed" },
  { result: "queued", failed: 0, succeeded: 0 },
  { success: true, status: "error", message: "0 errors" },
])
  it(`a restore completes if the answer that accepts it is ${JSON.stringify(body)}`, async () => {
    const stage = new OnStage(trap({ row: named, answer: () => ({ status: 200, body }) }), "json", {
      declared: [web],
      restoreSeconds: 20,
    });
    await stage.completes(1);
  });
