import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import type { Io, StatusResult } from "../../cli/commands";
import { plan } from "../support/stored/plans";
import { complete, pendingOn, type Played, restore } from "../support/stored/restores";
import { exportedResources, exportedStack, typeIn } from "../support/stored/stack";
import { expected, panels } from "../small-panels/expected";
import { OnStage } from "../small-panels/stage";
import { thorough } from "../support/thorough";
import { assertGolden } from "../support/golden";
import { settle, VirtualClock } from "../support/virtual-clock";
import { call, driven, useNoProject, withFiles } from "./support/call";
import { environmentOf, type Held, now, panelOf, readingOnly } from "./support/panel";
import { published } from "./support/published";

const assertPublished = published("status");

const row = (id: number, status: string, more: object = {}) => ({
  id,
  action: "restore_virtual_machine",
  status,
  associated_object_type: "VirtualMachine",
  associated_object_id: 42,
  created_at: "2026-11-21T10:58:00Z",
  ...more,
});
/** What the tests have seen. */
const transcript: string[] = [];
const old = row(5000, "complete", { created_at: "2026-11-21T09:00:00Z" });

type RestoreNow = StatusResult["restores"][number];

async function shown(exported: object, settings: Readonly<Record<string, string>>, reach: NonNullable<Io["reach"]>) {
  const args = ["status", "--state", "-", "--json"];
  const { out } = await call(args, environmentOf(settings), JSON.stringify(exported), undefined, { reach });
  return JSON.parse(out) as StatusResult;
}

async function look(exported: object, held: Held) {
  const clock = new VirtualClock({ startAt: now });
  const { transport, paths } = panelOf(held);
  const result = await driven(clock, shown(exported, {}, { clock, transport }));
  assertPublished(result);
  return { result, paths };
}

async function one(stored: Partial<Played>, rows: Held["rows"], pending = false): Promise<Partial<RestoreNow>> {
  const exported = exportedStack(restore(stored), pending ? [pendingOn("web")] : []);
  const { result } = await look(exported, { rows });
  const [{ state, source, transactions, probably, perhaps, seconds, next }] = result.restores as [RestoreNow];
  transcript.push(JSON.stringify({ state, source, transactions, probably, perhaps, seconds, next }));
  return {
    state,
    source,
    transactions,
    next,
    ...(seconds !== undefined && { seconds }),
    ...(probably.length > 0 && { probably }),
    ...(perhaps.length > 0 && { perhaps }),
  };
}

const done = { status: "complete", transaction: "5015" };
const running = { status: "running", transaction: "5015" };

describe("pulumi-recovery status", () => {
  useNoProject();
  afterEach(function () {
    if (transcript.length > 0)
      assertGolden("status.txt", this.currentTest?.title ?? "", transcript.splice(0).join("\n"));
  });

  it("shows a finished restore as stored, without reading the list", async () => {
    const { result, paths } = await look(exportedStack(restore(done)), { rows: [] });
    const failed = await look(exportedStack(restore({ status: "failed", transaction: "5015" })), { rows: [] });
    assert.deepEqual([paths, failed.paths], [[], []]);
    assert.deepEqual(result.restores[0], {
      ...{ name: "web", kind: "VmRestore", machine: "42", state: "complete", source: "state" },
      ...{ transactions: ["5015"], probably: [], perhaps: [], seconds: 65, isUnderWay: false, next: "nothing" },
    });
  });

  it("shows a sent restore with the current state of its transactions", async () => {
    const stored = { status: "pending", transaction: "5015" };
    const seen = await one(stored, [row(5015, "running"), old]);
    assert.deepEqual(seen, {
      state: "running",
      source: "panel",
      transactions: ["5015"],
      seconds: 120,
      next: "sends nothing: waits for the restore",
    });
    const ended = await one(stored, [row(5015, "failed", { updated_at: "2026-11-21T10:59:05Z" }), old]);
    assert.deepEqual([ended.state, ended.seconds, ended.next], ["failed", 65, "records the outcome: failed"]);
    const unwaited = await one({ ...stored, outputs: { wait: false } }, [row(5015, "running"), old]);
    assert.equal(unwaited.next, "nothing; `pulumi refresh` reads the status");
    const gone = await one(stored, [old]);
    assert.deepEqual([gone.state, gone.source], ["pending", "state"]);
    assert.match(String(gone.next), /the list does not show it now/);
    const inTwo = { ...stored, transaction: "5016", outputs: { transactionIds: ["5015", "5016"] } };
    const half = await one(inTwo, [row(5015, "complete", { updated_at: "2026-11-21T10:59:05Z" }), old]);
    assert.deepEqual([half.state, half.source], ["pending", "state"], "how the other transaction ended is unknown");
  });

  it("says that the next `up` retries a failed restore even if `adopt` names it, unless a later part of the restore failed", async () => {
    const stored = { status: "failed", transaction: "5015" };
    assert.equal((await one({ ...stored, outputs: { adopt: "5015" } }, [])).next, "tries again, or asks you");
    const { next: ofPart = "" } = await one({ ...stored, outputs: { failedPart: "5016" } }, []);
    assert.match(ofPart, /repair the machine and set adopt: "5015", or set new triggers to restore it again$/);
    const pending = { ...pendingOn("shop-wave-data", "Wave", "shop"), operation: "updating" } as const;
    const killed = exportedStack(plan({ data: { db: stored } }), [pending]);
    const again = async (more: object) =>
      (await look(killed, { rows: [row(5016, "failed", more), row(5015, "failed"), old] })).result.restores[0]?.next;
    const found = [await again({}), await again({ recovery_point_id: 1007 })];
    assert.deepEqual(found, ["tries again, or asks you", "adopts 5016, or asks you"]);
  });

  it("says that the next `up` sends a restore with a new intent, even if `adopt` names the old transaction", async () => {
    const { next } = await one({ ...done, carries: "intent-of-last-month", outputs: { adopt: "5015" } }, [old]);
    assert.match(next ?? "", /^sends it unless it is found, or asks you/);
  });

  it("says what the next `up` will ask when the panel does not show how a restore ended", async () => {
    const failed = row(5015, "done", { error: "disk full", updated_at: "2026-11-21T10:59:05Z" });
    const seen = await one(running, [failed, old]);
    assert.deepEqual([seen.state, seen.seconds], ["running", 65]);
    assert.equal(seen.next, "asks you how it ended: 5015 (done, error: disk full)");
  });

  it("calls a matching job probable, and claims no more than the next `up` can know", async () => {
    for (const [stored, isPending] of [
      [{}, true],
      [{}, false],
      [{ status: "sent" }, false],
    ] as const) {
      const seen = await one(stored, [row(5015, "running"), old], isPending);
      const state = "status" in stored ? "sent" : "not sent";
      assert.deepEqual([seen.state, seen.source, seen.transactions], [state, "state", []]);
      assert.deepEqual(seen.probably, [{ transactions: ["5015"], state: "running" }]);
      assert.equal(seen.next, "adopts 5015, or asks you");
    }
    const several = await one({}, [row(5016, "running"), row(5015, "complete"), old], true);
    assert.equal(several.next, "asks you which one is the restore: 5015, 5016");
    const others = Array.from({ length: 120 }, (_, nth) => row(5200 - nth, "complete", { associated_object_id: 43 }));
    assert.equal((await one({}, [...others, row(5015, "running"), old])).next, "adopts 5015, or asks you");
  });

  it("does not match a job that is for another machine or for files, is older than the intent, or belongs to another restore", async () => {
    const otherMachine = row(5019, "running", { associated_object_id: 43 });
    const files = row(5018, "running", { action: "restore_file_entries", params: { paths: ["/x"] } });
    const seen = await one({}, [otherMachine, files, old, row(4999, "running")], true);
    assert.deepEqual([seen.probably, seen.perhaps], [undefined, undefined]);
    const busy = await one({}, [row(5017, "running", { action: "take_backup" }), old], true);
    assert.equal(busy.next, "waits for 5017 (take_backup, running)");
    const known = exportedStack([...restore({}), ...restore({ ...done, name: "twin" })]);
    const { result } = await look(known, { rows: [row(5015, "complete"), old] });
    assert.ok(result.restores.every(({ probably }) => probably.length === 0));
  });

  it("lists the jobs that may be the restore if the panel's rows name no machine", async () => {
    const bare = (id: number, status: string) => ({ id, status });
    const seen = await one({}, [bare(5016, "running"), bare(5015, "complete"), bare(5000, "complete")], true);
    assert.deepEqual([seen.probably, seen.perhaps], [undefined, ["5015", "5016"]]);
    assert.equal(seen.next, "asks you, unless the machine's log names it, because rows of this panel name no machine");
    const single = await one({}, [bare(5015, "complete"), bare(5000, "complete")], true);
    assert.equal(single.next, seen.next);
  });

  it("reads the restores of a running wave from its intent when the wave has no record yet", async () => {
    const late = { machine: "45", came: "not begun" } as const;
    const stored = plan(
      { data: { db: { machine: "43", ...complete("5001") } }, front: { web: {}, mail: { machine: "44" }, late } },
      { carriedOut: ["data"] },
    );
    const exported = exportedStack(stored, [pendingOn("shop-wave-front", "Wave", "shop")]);
    const { result } = await look(exported, { rows: [row(5015, "running"), old] });
    assert.equal(result.isUnderWay, true);
    const shownOf = ({ wave, name, state, probably, isUnderWay }: RestoreNow) =>
      [wave, name, state, probably.length, isUnderWay].join(" ");
    assert.deepEqual(result.restores.map(shownOf), [
      "data db complete 0 false",
      "front web perhaps sent 1 true",
      "front mail perhaps sent 0 true",
      "front late not sent 0 true",
    ]);
    assert.equal(result.restores[3]?.next, "sends the restore when its wave begins");
  });

  it("does not mistake a machine's new transaction for a restore that is still waiting for an earlier restore", async () => {
    const [files, pending] = [
      { paths: ["/srv"] },
      ["data", "front"].map((wave) => pendingOn(`shop-wave-${wave}`, "Wave", "shop")),
    ];
    const during = async (...rows: Held["rows"]) => {
      const stored = plan({ data: { web: {}, content: files }, front: { logs: files } }, { carriedOut: [] });
      const { result } = await look(exportedStack(stored, pending), { rows: [...rows, old] });
      return result.restores.map(({ probably, next }) =>
        [...probably.flatMap((job) => job.transactions), next].join(": "),
      );
    };
    const waits = "waits until web is complete";
    assert.deepEqual(await during(row(5015, "running")), ["5015: adopts 5015, or asks you", waits, waits]);
    const [, ...others] = await during(row(5016, "running"), row(5015, "complete"));
    assert.deepEqual(others, [waits, waits], "either of the two may be the first restore");
    const ofFiles = row(5016, "running", { action: "restore_file_entries" });
    assert.deepEqual(await during(ofFiles, row(5015, "complete")), [
      "5015: adopts 5015, or asks you",
      "5016: adopts 5016, or asks you",
      "waits until content is complete",
    ]);
  });

  it("fits the width of the terminal, and marks what is uncertain", async () => {
    const stored = [
      ...restore({ name: "db", machine: "43", status: "failed", transaction: "5002" }),
      ...restore({ name: "web", machine: "42" }),
      ...restore({ name: "mail-of-the-shop", machine: "vm-of-the-shop" }),
    ];
    const mails = [5017, 5016].map((id) => row(id, "running", { associated_object_id: "vm-of-the-shop" }));
    const state = JSON.stringify(exportedStack(stored, [pendingOn("web")]));
    const clock = new VirtualClock({ startAt: now });
    const { transport } = panelOf({ rows: [...mails, row(5015, "running"), old] });
    const called = call(["status", "--state", "-"], environmentOf(), state, undefined, { reach: { clock, transport } });
    const { out } = await driven(clock, called);
    assert.deepEqual(out.trimEnd().split("\n"), [
      "     RESTORE     MACHINE   PHASE     FOR    TRANSACTION     THE NEXT UP",
      ...[" !!  db          43        failed    1m 5s  5002", "       tries again, or asks you"],
      ...[" ??  web         42        running?  2m     probably 5015", "       adopts 5015, or asks you"],
      ...[
        " ??  mail-…shop  vm-of-t…  not sent  –      probably 5016…",
        "       asks you which one is the restore: 5016, 5017",
      ],
      "",
      "3 restores: 1 failed, 2 probably sent.",
      "An `up` is under way or was interrupted: the state does not show which.",
      // A short page may have been filtered, so page 2 is requested once.
      "As of 2026-11-21 11:00:00 UTC: 2 GETs, nothing posted.",
    ]);
  });

  it("says that a plan's run failed although each of its restores is complete", async () => {
    const stored = exportedStack(
      plan({ data: { db: { machine: "43", ...complete("5001") } } }, { wholeGoalSeconds: 1 }),
    );
    const { out } = await call(["status", "--state", "-"], environmentOf(), JSON.stringify(stored));
    assert.match(
      out,
      /1 restore: 1 complete\.\nRun 2026-Q4 of shop: failed \(`npx pulumi-recovery report` says why\)\./,
    );
    const { result } = await look(exportedStack(plan({ data: { db: complete("5001") } })), { rows: [] });
    assert.deepEqual(result.runs, [{ plan: "shop", run: "2026-Q4", verdict: "passed" }]);
  });

  it("reads the list only once for a thousand restores", async () => {
    const numbers = [...Array(1_000).keys()];
    const stored = numbers.flatMap((nth) => {
      const machine = String(1_000 + nth);
      const sent = nth % 2 === 0 ? { status: "running", transaction: String(6_000 + nth) } : {};
      return restore({ name: `vm${machine}`, machine, ...sent });
    });
    const rows = numbers.map((nth) => row(6_999 - nth, "running", { associated_object_id: 1_999 - nth }));
    const began = performance.now();
    const { result, paths } = await look(exportedStack(stored, [pendingOn("x")]), { rows: [...rows, old] });
    assert.ok(paths.length <= 8, paths.join(" "));
    assert.ok(performance.now() - began < 20_000);
    assert.equal(result.restores.filter(({ state, source }) => state === "running" && source === "panel").length, 500);
    assert.equal(result.restores.filter(({ probably }) => probably.length === 1).length, 500);
  });

  it("shows what is stored, and exits with 2, if the panel cannot be read", async () => {
    const { result } = await look(exportedStack(restore(running)), { rows: [], refuse: [[/./, 403]] });
    assert.match(String(result.panelProblem), /403/);
    assert.equal(result.restores[0]?.source, "state");
    const stored = JSON.stringify(exportedStack(restore(done)));
    const called = await call(["status", "--state", "-", "--json"], {}, stored);
    assert.deepEqual([called.code, (JSON.parse(called.out) as StatusResult).counts], [2, { complete: 1 }]);
    const { err } = await call(["status", "--state", "-", "--provider", "dr"], {}, stored);
    assert.match(err, /the state contains no provider dr/);
    const { out } = await call(["status", "--state", "-"], {}, stored, undefined, { isColourful: true });
    assert.ok(out.includes("\u001b[32mok"), out);
    assert.match(out, /: all of this is from the stored state, .* the\npanel was not read\.\nno request was made, /);
    assert.match(out, /^ {2}recovery:endpoint is not set: .+\n {2}recovery:username is not set: .+\n/m);
  });

  it("reads a relative caFile from the program's folder, wherever the command is run", async () => {
    writeFileSync("Pulumi.yaml", "name: shop\nmain: app/ # the program\n");
    mkdirSync("elsewhere");
    process.chdir("elsewhere");
    const environment = { ...environmentOf(), RECOVERY_CA_FILE: "panel-ca.pem" };
    const { out } = await call(["status", "--state", "-"], environment, JSON.stringify(exportedStack(restore(done))));
    assert.match(out.replaceAll("\n", " "), /CA_FILE\) points to \S+app.panel-ca\.pem, which cannot be read/);
  });

  it("shows restores on another panel as stored", async () => {
    const elsewhere = exportedStack(restore({ ...running, panel: "https://other.example.com" }));
    const { result, paths } = await look(elsewhere, { rows: [row(5015, "complete"), old] });
    assert.deepEqual(paths, []);
    assert.match(String(result.restores[0]?.next), /stored for https:\/\/other\.example\.com/);
    const same = [...restore({ ...done, name: "site", panel: "https://other.example.com" }), ...restore({})];
    const both = await look(exportedStack(same, [pendingOn("web")]), { rows: [row(5015, "running"), old] });
    const web = both.result.restores.find(({ name }) => name === "web");
    assert.deepEqual(
      web?.probably,
      [{ transactions: ["5015"], state: "running" }],
      "ids mean nothing on another panel",
    );
  });

  it("--watch reads the state every ten seconds, and survives any failed read except the first", () =>
    withFiles({}, async (pathOf) => {
      const stored = JSON.stringify(exportedStack(restore(done)));
      /** Returns what the first three reads show. `broken` lists the reads that find an invalid state. */
      const seen = async (more: readonly string[], broken: readonly number[], onTerminal = false, most = Infinity) => {
        const clock = new VirtualClock({ startAt: now });
        const shownThere: string[] = [];
        const write = (): void => {
          writeFileSync(pathOf("state.json"), broken.includes(shownThere.length) ? "{" : stored);
        };
        const add = (how: string) => (text: string) => {
          const time = (/11:00:\d\d/.exec(text) ?? ["-"])[0];
          if (!text.startsWith("The stack's")) shownThere.push(`${text.startsWith("{") ? "json" : how} ${time}`);
          write();
        };
        write();
        const args = ["status", "--watch", "--state", pathOf("state.json"), ...more];
        const watched = call(args, environmentOf(), "", undefined, {
          ...{ say: add("line"), warn: add("warning"), ...(onTerminal && { redraw: add("redrawn") }) },
          isOpen: () => shownThere.length < most,
          reach: { clock, transport: panelOf({ rows: [] }).transport },
        });
        let code: number | undefined;
        void watched.then((called) => (code = called.code));
        while (code === undefined && shownThere.length < 3)
          await (clock.pending > 0 ? clock.advance(10_000) : settle());
        return code ?? shownThere;
      };
      assert.deepEqual(await seen(["--json"], []), ["json 11:00:00", "json 11:00:10", "json 11:00:20"]);
      assert.deepEqual(await seen([], [1]), ["line 11:00:00", "warning -", "line 11:00:20"]);
      assert.deepEqual(await seen([], [], true), ["redrawn 11:00:00", "redrawn 11:00:10", "redrawn 11:00:20"]);
      assert.equal(await seen([], [0]), 3);
      assert.equal(await seen(["--json"], [], false, 1), 0, "the output was closed");
    }));

  describe("during an `up` on a small panel", () => {
    const some = Object.entries(panels).filter((_, nth) => nth % thorough(3, 1) === 0);
    for (const [name, { make, formats }] of some)
      for (const format of formats.slice(0, thorough(1, 2)))
        it(`shows no transaction under the wrong restore: ${name}, ${format}`, async () => {
          const stage = new OnStage(make, format, { settings: expected[name]?.needs ?? {} });
          const looks: StatusResult[] = [];
          const lookNow = (): Promise<StatusResult> =>
            shown(
              stateOf(stage),
              { endpoint: "https://panel.example", format, ...expected[name]?.needs },
              { clock: stage.time, transport: readingOnly(stage.panel, stage.time).transport },
            );
          const lookOn = (): void =>
            void lookNow().then((result) => {
              looks.push(result);
              stage.time.after(3_000, lookOn);
            });
          stage.time.after(1_000, lookOn);
          await stage.up();
          looks.push(await driven(stage.time, lookNow()));
          const seen = looks.flatMap(({ restores }) => restores);
          const isSeen = seen.some(({ probably, perhaps }) => (probably[0]?.state ?? perhaps[0]) !== undefined);
          assert.ok(isSeen, "the current run is not shown");
          for (const { restores, panelProblem } of looks) {
            assert.equal(panelProblem, undefined);
            for (const { name: restored, transactions, probably } of restores) {
              const own = stage.postsOf(Number(restored.slice(1))).flatMap(({ ids }) => ids.map(String));
              for (const id of [...transactions, ...probably.flatMap((job) => job.transactions)])
                assert.ok(own.includes(id), `${restored} is shown as ${id}, but is ${own.join(" ")}`);
            }
          }
        });
  });
});

/** The stack during a run, as `pulumi stack export` writes it at that moment. */
function stateOf({ engine: { state } }: OnStage): object {
  const stored = new Set(state.map(({ urn }) => urn));
  const begun = state
    .filter(({ operations }) => operations === "Intent")
    .map(({ urn, outputs }) =>
      urn.replace(":Intent::", `:${String(outputs["__kind"])}::`).replace(/-(?:vm|file)-intent$/, ""),
    )
    .filter((urn) => !stored.has(urn));
  const pending = begun.map((urn) => ({ type: "creating", resource: { urn, type: typeIn(urn) } }));
  return { version: 3, deployment: { resources: exportedResources(state), pending_operations: pending } };
}
