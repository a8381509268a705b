import assert from "node:assert/strict";
import type { PanelAnswer } from "../panel";
import { OnStage, web } from "../stage";
import { bare, named, onTrap, refusing, type Trap } from "../trap";

/** A stack on a panel that, until `accept` is called, gives this answer to each POST after a pause, and carries out nothing. */
function refused(row: Trap["row"], answer: Partial<PanelAnswer>, restoreSeconds = 20, afterMs = 0) {
  const { make, accept } = refusing({ row }, { status: 200, ...answer }, afterMs);
  return { stage: new OnStage(make, "json", { declared: [web], restoreSeconds }), accept };
}

const message = "machine is locked";
const refusals: readonly object[] = [
  { error: message },
  { success: false, message },
  { errors: [message] },
  { errors: { base: [message] } },
  { status: "error", message },
  { ok: false, message },
  { code: 423, message },
];

describe("a POST answered with status 200 and an error in the body", () => {
  for (const body of refusals) {
    it(`makes \`up\` quote the panel and ask the user when a row without a machine appears 40 seconds later: ${JSON.stringify(body)}`, async () => {
      const { stage } = refused(bare, { body });
      stage.time.after(42_000, () => stage.panel.work("9", "restore"));
      const asked = /has not listed it: .*after a refusal.*machine is locked.*adopt: "131".*change triggers/s;
      assert.match(await stage.said(), asked);
      assert.deepEqual([stage.statuses(), stage.idsOf(0)], [["sent"], []]);
    });

    it(`is reported as rejected, in the panel's words, and the next \`up\` searches for the restore and then sends it: ${JSON.stringify(body)}`, async () => {
      const { stage, accept } = refused(named, { body });
      const rejected = /was refused by the panel, and is not listed.*the next `pulumi up`.*machine is locked/s;
      assert.match(await stage.said(), rejected);
      assert.deepEqual(stage.statuses(), [undefined]);
      accept();
      await stage.completes(1);
    });
  }

  for (const namesPoint of [true, false])
    it(`${namesPoint ? "counts as accepted" : "makes `up` ask the user"} when the machine has a job that names ${namesPoint ? "the" : "no"} recovery point`, async () => {
      const row: Trap["row"] = (job) => ({ ...named(job), recovery_point_id: namesPoint ? job.point : null });
      const answer = () => ({ status: 200, body: { error: "e-mail was not sent" } });
      const stage = onTrap({ row, answer }, { restoreSeconds: 20 });
      const { errors, warnings } = await stage.up();
      assert.match(warnings.join("\n"), /e-mail was not sent/);
      if (!namesPoint) {
        assert.match(errors.get(0) ?? "", /has not listed it: .*adopt: "131"/s);
        stage.change(0, { adopt: "131" });
      }
      await stage.completes(1);
    });

  for (const [what, more, afterMs] of [
    ["an operator restores the machine by hand a minute later", {}, 60_000],
    ["the response also names the restore that locks the machine", { transaction_id: 131 }, 4_000],
  ] as const)
    it(`makes \`up\` ask the user when ${what}`, async () => {
      const { stage } = refused(named, { body: { success: false, message, ...more } });
      stage.time.after(afterMs, () => stage.panel.work("42", "restore"));
      assert.match(await stage.said(), /machine is locked.*adopt: "131"/s);
      assert.deepEqual(stage.statuses(), ["sent"]);
    });

  it("is not repeated if its response also names a transaction that is listed late", async () => {
    const answer: Trap["answer"] = ([id]) => ({ status: 200, body: { error: "no e-mail", transaction_id: id } });
    const stage = onTrap({ row: bare, answer, lateMs: 300_000 });
    await stage.up();
    assert.deepEqual(stage.statuses(), ["sent"]);
    for (let count = 0; count < 2; count++) await stage.up();
    assert.equal(stage.posted.length, 1);
  });
});

describe("a response that names parts of the restore, on a panel whose list does not link them", () => {
  const parts: Trap["parts"] = (end) => [
    { action: "stop_virtual_machine", seconds: 5 },
    { end, seconds: 60 },
    { action: "startup_virtual_machine", seconds: 70, end: end === "failed" ? "cancelled" : "complete" },
  ];
  for (const [which, range] of Object.entries({ "a stop before it": [0, 1], "a start after it": [2], "all parts": [] }))
    it(`lets a failed restore be repeated if it names ${which}`, async () => {
      const answer: Trap["answer"] = (made) => ({ status: 202, body: { transaction_ids: made.slice(...range) } });
      const stage = onTrap({ row: named, parts, answer });
      await stage.upFailing();
      assert.deepEqual(stage.statuses(), ["failed"]);
      await stage.completes(2);
    });

  it("makes `up` report a failed start after a complete restore", async () => {
    const answer: Trap["answer"] = (made) => ({ status: 202, body: { transaction_ids: made } });
    const stage = onTrap({ row: named, parts: () => [{}, { action: "start_vm", seconds: 40, end: "failed" }], answer });
    assert.match(await stage.said(), /is complete on the panel, but transaction 132 .*failed/);
  });
});

describe("on a panel whose rows have only an id and a status, a POST that the panel does not confirm", () => {
  const answers: Readonly<Record<string, readonly [answer: PanelAnswer, reason: string]>> = {
    "status 500": [{ status: 500, body: "boom" }, ""],
    "status 500 and a reason": [{ status: 500, body: { errors: ["the point is being merged"] } }, "is being merged"],
    "a redirect": [{ status: 302, headers: { location: "/login" }, body: "" }, ""],
  };
  for (const [what, [answer, reason]] of Object.entries(answers))
    for (const isCarriedOut of [true, false])
      it(`causes a readable error and a warning that quote the response (${what}) if the restore is ${isCarriedOut ? "" : "not "}carried out`, async () => {
        const declared = [web, { ...web, machine: "43" }];
        const stage = onTrap({ row: bare }, { declared }, async ({ method }, usual) => {
          if (method !== "POST") return usual();
          if (isCarriedOut) await usual();
          return answer;
        });
        const { errors, warnings } = await stage.up();
        const listed = `was sent, but the panel has not listed it: .*no confirmation.*${reason}`;
        assert.match(errors.get(0) ?? "", new RegExp(listed));
        const confirmed = `the panel did not confirm the restore: .*status ${String(answer.status)}.*${reason}`;
        assert.match(warnings.join(), new RegExp(confirmed));
        assert.match(errors.get(1) ?? "", /was not sent: .*"r0".* was posted but is not listed.*Resolve that/);
        assert.deepEqual(stage.statuses(), ["sent", undefined]);
      });
});

describe("a response to a POST", () => {
  const answers: Readonly<Record<string, NonNullable<Trap["answer"]>>> = {
    "all transactions": (_made, listed) => ({ status: 200, body: { transactions: listed.map((id) => ({ id })) } }),
    "another restore's transaction": () => ({ status: 201, body: { transaction_id: 131 } }),
  };
  for (const [what, answer] of Object.entries(answers))
    it(`does not identify the restore's transaction if it contains ${what}`, async () => {
      const declared = [web, { ...web, machine: "43" }];
      const stage = onTrap({ row: bare, lateMs: 2_000, answer }, { declared, restoreSeconds: 20 });
      stage.failing.add("43");
      await stage.up();
      assert.deepEqual([stage.statuses(), stage.idsOf(0), stage.idsOf(1)], [["complete", "failed"], ["131"], ["132"]]);
    });

  for (const status of [400, 409, 422, 423]) {
    const seconds = status === 422 ? 10 : 0;
    it(`means that the restore was rejected if its status is ${String(status)} (after ${String(seconds)} seconds), and the next \`up\` sends the restore again, as the error says`, async () => {
      const body = { errors: ["locked by another transaction"] };
      const { stage, accept } = refused(named, { status, body }, 10, seconds * 1_000);
      const said = await stage.said();
      assert.match(
        said,
        /was refused by the panel, and changed nothing.*wait until the machine is free; the next `pulumi up` searches first .*, then sends the restore again.*locked by another/s,
      );
      assert.doesNotMatch(said, /recovery:endpoint/);
      accept();
      await stage.completes(1);
    });
  }

  for (const body of [
    { machine_id: 42, state: "failed" },
    { result: "queued", failed: 0, succeeded: 0 },
    { success: true, status: "error", message: "0 errors" },
  ])
    it(`counts as a success, and the restore completes, if its body is ${JSON.stringify(body)}`, async () => {
      await onTrap({ row: named, answer: () => ({ status: 200, body }) }, { restoreSeconds: 20 }).completes(1);
    });
});

it("a restore whose POST is answered with status 500 makes `up` ask within minutes, even if somebody's restore from another point is running", async () => {
  const row: Trap["row"] = (job) => ({ ...named(job), recovery_point_id: Number(job.point ?? 990) });
  const { stage } = refused(row, { status: 500 }, 10_800);
  stage.time.after(5_000, () => stage.panel.work("42", "restore"));
  const began = stage.time.now();
  assert.match(await stage.said(), /has not listed it.*131 .*; names another recovery point/s);
  assert.ok(stage.time.now() - began < 5 * 60_000, `after ${String(stage.time.now() - began)} ms`);
});
