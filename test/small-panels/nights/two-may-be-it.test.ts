import assert from "node:assert/strict";
import { calm, type Declared } from "../../support/program";
import { OnStage } from "../stage";
import { iso, type Shown } from "../taste";
import { bare, stamped, type Trap, wrapped } from "../trap";

const web: Declared = { ...calm, point: "1007" };

/** A panel that answers a POST with an error, lists the restore only later, and names machines only in their logs. */
function lateOn(row: Trap["row"], declared: Declared, restoreSeconds: number, more: Partial<Trap> = {}) {
  let isHidden = true;
  const make = wrapped({ row, ...more }, async ({ method }, usual) => {
    const given = await usual();
    if (method === "POST") return { status: 500 };
    const { body } = given;
    const rows = Array.isArray(body) ? (body as readonly Shown[]) : undefined;
    return rows === undefined || !isHidden ? given : { ...given, body: rows.filter(({ id }) => id !== 131) };
  });
  const stage = new OnStage(make, "json", { declared: [declared], restoreSeconds });
  const show = (): void => void (isHidden = false);
  return { stage, show };
}

const inLog: Partial<Trap> = { events: (own) => own.map(({ no }) => ({ transaction_id: no })) };
const unnamed: Trap["row"] = ({ action, status, at }) => ({ action, status, created_at: iso(at) });

describe("a restore that was sent and not listed, when the next up finds it beside a person's restore of the machine", () => {
  for (const [what, row, more] of [
    ["rows name machines", stamped, {}],
    ["only the machines' logs say whose a row is", unnamed, inLog],
  ] as const)
    for (const [own, its] of [
      ["failed", "complete"],
      ["complete", "failed"],
    ] as const)
      it(`is a question when its own is ${own} and the other ${its}, and ${what}`, async () => {
        const { stage, show } = lateOn(row, web, 300, more);
        if (own === "failed") stage.failing.add("42");
        assert.match((await stage.up()).errors.get(0) ?? "", /was sent, and the panel has not listed it/);
        show();
        stage.time.after(12_000, () => {
          stage.failing[its === "failed" ? "add" : "delete"]("42");
          stage.panel.work("42", "restore");
        });
        const said = (await stage.up()).errors.get(0) ?? "";
        assert.match(said, /have not ended alike.*adopt: "131".*131 .*132 /s);
        stage.failing.clear();
        await stage.up();
        assert.deepEqual([stage.statuses(), stage.posted.length], [["running"], 1]);
      });
});

describe("a restore that was taken by a guess, because rows name no machine", () => {
  for (const how of ["wait: false", "timeouts.run"])
    for (const [own, its] of [
      ["failed", "complete"],
      ["complete", "failed"],
    ] as const)
      it(`is a question in the run after ${how} when another row beside it is ${own} and it is ${its}`, async () => {
        const isLimited = how !== "wait: false";
        const declared: Declared = { ...web, wait: isLimited, timeouts: isLimited ? { run: 20 } : {} };
        let lateUntil = Infinity;
        const make = wrapped({ row: bare }, async (_request, usual, world) => {
          const { body, ...given } = await usual();
          const rows = Array.isArray(body) ? (body as readonly Shown[]) : undefined;
          const isLate = world.now() < lateUntil;
          return { ...given, body: rows?.filter(({ id }) => !isLate || id !== 131) ?? body };
        });
        const stage = new OnStage(make, "json", { declared: [declared], restoreSeconds: 60 });
        if (own === "failed") stage.failing.add("42");
        stage.onPosted = () => {
          lateUntil = stage.time.now() + 40_000;
          if (its === "failed") stage.failing.add("9");
          stage.panel.work("9", "restore");
        };
        await stage.up();
        assert.deepEqual(stage.idsOf(0), ["132"]);
        await stage.time.advance(300_000);
        stage.change(0, { wait: true });
        assert.match((await stage.up()).errors.get(0) ?? "", /have not ended alike.*131 /s);
        stage.failing.clear();
        await stage.up();
        assert.deepEqual([stage.statuses(), stage.posted.length], [["running"], 1]);
        stage.change(0, { adopt: "131" });
        await stage.up();
        assert.deepEqual([stage.statuses(), stage.idsOf(0), stage.posted.length], [[own], ["131"], 1]);
      });

  it("is complete in the next run when nothing else has turned up", async () => {
    const make = wrapped({ row: bare }, (_request, usual) => usual());
    const stage = new OnStage(make, "json", { declared: [{ ...web, wait: false }], restoreSeconds: 60 });
    await stage.up();
    await stage.time.advance(300_000);
    stage.change(0, { wait: true });
    assert.deepEqual((await stage.up()).errors, new Map());
    assert.deepEqual([stage.statuses(), stage.posted.length], [["complete"], 1]);
  });

  it("is certain when the answer to the POST has named it", async () => {
    const answer: Trap["answer"] = ([id]) => ({ status: 201, body: { transaction_id: id } });
    const make = wrapped({ row: bare, answer }, (_request, usual) => usual());
    const stage = new OnStage(make, "json", { declared: [{ ...web, wait: false }], restoreSeconds: 60 });
    await stage.up();
    stage.failing.add("9");
    stage.panel.work("9", "restore");
    await stage.time.advance(300_000);
    stage.change(0, { wait: true });
    assert.deepEqual((await stage.up()).errors, new Map());
    assert.deepEqual([stage.statuses(), stage.idsOf(0)], [["complete"], ["131"]]);
  });
});
