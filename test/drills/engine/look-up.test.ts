import assert from "node:assert/strict";
import { lookUp, type LookedUp, lookUpRefusedText, notLookedUpText } from "../../../drills/engine/look-up";
import type { Form } from "../../../drills/judge/stored";
import { TransportFailure, type TransportRequest } from "../../../provider/panel/transport";
import type { Format } from "../../../provider/panel/types";
import { messageText } from "../../../provider/plain/message";
import type { DialectOption } from "../../../sandbox";
import { answer, formats, inProcess } from "../../panel/support/clients";
import { sandboxClient } from "../../support/sandbox-client";
import { PlanLab, planOf, restore } from "./support/plan-lab";

type Planned = Parameters<typeof lookUp>[0][number];
const asked = (name: string, machine: string, point: Form["point"]) => ({ path: `waves.data.${name}`, machine, point });
const newest = { pick: "newest" } as const;
const why = ({ problems }: LookedUp): readonly string[] => problems.map((one) => `${one.path}: ${one.why}`);

const days = (count: number): number => count * 86_400;
const scenario = {
  machines: [
    { id: 42, recoveryPoints: [1007] },
    {
      id: 43,
      recoveryPoints: [
        { id: 1008, ageSeconds: days(1) },
        { id: 1010, ageSeconds: 60, state: "failed" },
        { id: 1011, ageSeconds: 60, state: "sealed" },
      ],
    },
    { id: 44, recoveryPoints: [] },
    { id: 45, recoveryPoints: [{ id: 1012, ageSeconds: 60, state: "sealed" }] },
  ],
};

describe("a plan's look-up", () => {
  const good = [asked("db", "42", "1007"), asked("web", "43", "1008")];
  const [all, gone] = [asked("all", "43", newest), asked("gone", "999", "1007")];
  const unknownMachine =
    "waves.data.gone: the panel does not know machine 999: a request for its log returns 404, unlike one for the log of machine 42";
  async function lookUpOnSandbox(format: Format, dialect: DialectOption, planned: readonly Planned[]) {
    const panel = sandboxClient(format, { dialect, scenario });
    const found = await panel.clock.run(lookUp(planned, panel.newClient(), []));
    assert.equal(panel.sandbox.acceptedPosts(), 0);
    return found;
  }

  for (const format of formats) {
    for (const dialect of ["plain", "modern", "awkward"] as const)
      it(`rejects what the panel does not list or cannot restore, and nothing else: sandbox dialect ${dialect}, ${format}`, async () => {
        const found = await lookUpOnSandbox(format, dialect, [
          ...[...good, all, gone],
          asked("point", "43", "9999"),
          asked("failed", "43", "1010"),
          asked("rule", "43", { pick: "newest", before: "2020-01-01T00:00:00Z" }),
          asked("none", "44", newest),
          asked("state", "45", newest),
          // An unknown state is no reason to reject a point that the user named.
          asked("sealed", "43", "1011"),
        ]);
        assert.deepEqual(
          why(found).map((text) => text.replace(/, taken .*? old\)/, ")")),
          [
            unknownMachine,
            "waves.data.point: recovery point 9999 of machine 43 is not listed: the panel lists 1011, 1010, 1008",
            `waves.data.failed: recovery point 1010 of machine 43 cannot be restored: its state is "failed"`,
            `waves.data.rule: no recovery point of machine 43 can be chosen (the newest before 2020-01-01T00:00:00Z): none of the recovery points that the panel lists (3) can be restored and matches the rule: 1008 (${dialect === "awkward" ? "available" : "built"}). Change the rule, or set recoveryPointId instead of recoveryPoint`,
            "waves.data.none: no recovery point of machine 44 can be chosen (the newest): the panel lists no recovery points for this machine. Make a backup, or check on the panel whether the points were deleted",
            "waves.data.state: no recovery point of machine 45 can be chosen (the newest): none of the recovery points that the panel lists (1) can be restored and matches the rule: 1012 (sealed). If points in that state can be restored, add the state to recovery:pointStates (if none is set: `pulumi config set recovery:pointStates <state>`)",
          ],
        );
        assert.deepEqual(found.unknown, [
          `points of 43: it is not known whether a point in the state "sealed" can be restored (recovery:pointStates)`,
        ]);
      });

    it(`rejects unknown machines and rules, and nothing else, if the panel lists no points: ${format}`, async () => {
      const found = await lookUpOnSandbox(format, "bare", [...good, all, gone]);
      assert.deepEqual(why(found), [
        `waves.data.all: no recovery point of machine 43 can be chosen (the newest): the machine's list of recovery points could not be read: the panel has nothing at this path (status 404): GET /virtual_machines/43/backups/recovery_points.${format} on https://panel.example, the panel's message: "Resource not found". Correct the id of the machine or its recovery point; or set the panel's version, 5.8 for any older than 5.9: \`pulumi config set recovery:apiVersion <version>\`, or set recoveryPointId instead of recoveryPoint`,
        unknownMachine,
      ]);
      const unknown = "points of 42, points of 43: the panel has nothing at this path (status 404)";
      assert.deepEqual(found.unknown, [unknown]);
    });
  }

  describe("on a panel with faults", () => {
    const many = Array.from({ length: 1_000 }, (_, index) => asked(`vm${String(index)}`, String(index + 1), "7"));
    const machineIn = ({ path }: TransportRequest): string => /machines\/([^/]+)/.exec(path)?.[1] ?? "";
    const isLog = ({ path }: TransportRequest): boolean => path.includes("/logs");
    /** Each machine has a log and one recovery point. */
    const usual = (request: TransportRequest, of?: object) => {
      if (isLog(request)) return answer(200, "[]");
      const point = of ?? { id: 7, virtual_machine_id: Number(machineIn(request)), state: "built" };
      return /\/page\/[2-9]/.test(request.path) ? answer(404) : answer(200, JSON.stringify([point]));
    };
    const hang = ({ signal }: TransportRequest): Promise<never> =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(new TransportFailure("ABORTED", true))));
    type Answering = Parameters<typeof inProcess>[0];

    /** Returns the findings, the number of requests, and the duration in seconds. */
    async function look(planned: readonly Planned[], answering: Answering) {
      const panel = inProcess(answering);
      const from = panel.clock.now();
      const found = await panel.clock.run(lookUp(planned, panel.client, []));
      assert.ok(panel.lines.every((line) => line.startsWith("GET ")));
      return { ...found, requests: panel.lines.length, seconds: (panel.clock.now() - from) / 1_000 };
    }

    const faults: Readonly<Record<string, Answering>> = {
      "answers every request with 404": () => answer(404),
      "answers every request with 403": () => answer(403),
      "answers every request with 500": () => answer(500),
      hangs: hang,
      "hangs when points are requested": (request) => (isLog(request) ? answer(200, "[]") : hang(request)),
      "answers every request with an HTML page": () => answer(200, "<html>welcome</html>"),
    };
    for (const [name, answering] of Object.entries(faults))
      it(`gives up early if the panel ${name}, rejects nothing, and reports once what it could not look up`, async () => {
        const { problems, unknown, requests, seconds } = await look(many, answering);
        assert.deepEqual(problems, []);
        assert.ok(unknown.length > 0 && unknown.length <= 4, unknown.join("\n"));
        assert.match(notLookedUpText({ problems, unknown }), /^the look-up before the first wave is incomplete/);
        assert.ok(seconds <= 65, `${String(seconds)} s`);
        // Of these faults, only a 404 may be a valid answer for a log, so only then is every log requested.
        assert.ok(requests <= 1_100, `${String(requests)} requests`);
      });

    it("believes the panel even when the panel wrongly returns a machine's log, or wrongly returns 404 instead of the log", async () => {
      const rejected = async (planned: readonly Planned[], lie: number): Promise<readonly string[]> => {
        const { problems } = await look(planned, (request) =>
          isLog(request) && machineIn(request) === "2" ? answer(lie, "[]") : usual(request),
        );
        return problems.map(({ path }) => path);
      };
      assert.deepEqual(await rejected(many.slice(0, 3), 200), []);
      assert.deepEqual(await rejected(many.slice(0, 3), 404), ["waves.data.vm1"]);
      assert.deepEqual(await rejected(many.slice(1, 2), 404), [], "no other log was answered");
    });

    it("does not reject a point if a listed point has no id, or belongs to another machine", async () => {
      const lists: readonly [RegExp, object][] = [
        [/^points of 1: 1 of the points have no id$/, { state: "built" }],
        [/^points of 1: .* points of other machines \(99\)/, { id: 8, virtual_machine_id: 99 }],
      ];
      for (const [text, point] of lists) {
        const found = await look(many.slice(0, 1), (request) => usual(request, point));
        assert.deepEqual(found.problems, []);
        assert.match(found.unknown.join("\n"), text);
      }
    });

    it("looks up at most ten machines at once", async () => {
      let [now, most] = [0, 0];
      await look(many, async (request, clock) => {
        most = Math.max(most, ++now);
        await new Promise<void>((resolve) => clock.after(50, resolve));
        now--;
        return usual(request);
      });
      assert.equal(most, 10);
    });

    it("names every rejected restore, however many there are", async () => {
      const found = await look(many.slice(0, 60), (request) =>
        isLog(request) ? answer(machineIn(request) === "1" ? 200 : 404, "[]") : answer(404),
      );
      const text = messageText(lookUpRefusedText(found, 60));
      assert.match(text, /^59 of 60 restores cannot be carried out.*`lookUp: false` in the plan/);
      for (const { path } of many.slice(1, 60)) assert.match(text, new RegExp(`${path}\\b`));
      assert.ok(text.split("\n").length <= 12);
    });
  });
});

/** The look-up when a run is created and when it is updated. */
describe("a plan's run", () => {
  let lab: PlanLab;
  const paths: string[] = [];
  let isRefused = false;
  beforeEach(() => {
    lab = new PlanLab();
    isRefused = false;
    paths.length = 0;
    lab.panel.points = [{ id: "1007" }, { id: "1008" }];
    const transportOf = lab.panel.transportOf.bind(lab.panel);
    lab.panel.transportOf = (process) => {
      const send = transportOf(process);
      return (request) => {
        paths.push(request.path);
        return isRefused ? Promise.resolve(answer(401)) : send(request);
      };
    };
  });
  /** The machines that were looked up since the last call. */
  const lookedUp = () => [...new Set(paths.splice(0).flatMap((path) => ofPoints.exec(path)?.[1] ?? []))].join();
  const ofPoints = /machines\/(\d+)\/backups\/recovery_points\.json/;
  const [db, web] = [restore("42", "1007"), restore("43", "1007")];
  const plan = (pointOfMail: string, ofMail: object = {}, ofPlan: object = {}) =>
    planOf({ one: { db }, two: { web }, three: { mail: restore("44", pointOfMail, ofMail) } }, ofPlan);

  it("looks up only new or changed restores, keeps its record if a restore is rejected, and looks up everything under a new run name", async () => {
    assert.deepEqual(await lab.up(plan("1008")), []);
    lookedUp();
    assert.deepEqual(await lab.up(plan("1008")), []);
    assert.equal(lookedUp(), "");
    const refused = plan("9999", { triggers: [1] });
    for (const how of [{}, { replace: ["run"] }]) {
      const [text = ""] = (await lab.up(refused, how)) ?? [];
      assert.match(text, /this `pulumi up` sent none of the plan's restores|1 of 1 restores cannot/);
      assert.deepEqual([lookedUp(), lab.panel.posts.length, lab.outputsOf("run")["run"]], ["44", 3, "Q1"]);
    }
    assert.deepEqual(await lab.up(plan("1007", { triggers: [1] })), []);
    assert.deepEqual([lookedUp(), lab.panel.posts.length], ["44", 4]);
    assert.deepEqual(await lab.up(plan("1007", {}, { run: "Q2" })), []);
    assert.equal(lookedUp(), "42,43,44");
  });

  it("warns about a data age goal that can never be measured", async () => {
    await lab.up(plan("1008", { recoveryPointTakenAt: "2026-11-20T02:00:00Z" }, { goals: { dataAge: "7d" } }));
    const advice =
      "no data age can be measured for db, web: set recoveryPointTakenAt, or use a rule instead of recoveryPointId";
    assert.ok(lab.warnings.includes(`the run will be incomplete, because ${advice}`));
    await lab.up(plan("1008", {}, { goals: { dataAge: "7d" }, onMissedGoal: "warn" }));
    assert.ok(lab.warnings.includes(advice.replace("web:", "web, mail:")));
  });

  it("does not begin when the panel rejects the password, so the previous run is kept", async () => {
    assert.deepEqual(await lab.up(plan("1008")), []);
    isRefused = true;
    for (const how of [{}, { replace: ["run"] }]) {
      const [text = "", ...more] = (await lab.up(plan("1008", {}, { run: "Q2" }), how)) ?? [];
      assert.match(text, /did not accept the user name and password \(status 401\)/);
      assert.deepEqual([more, lab.outputsOf("run")["run"], lab.panel.posts.length], [[], "Q1", 3]);
    }
  });

  it("looks up neither disallowed machines nor restores with adopt, and nothing at all with lookUp: false", async () => {
    const allowedMachines = [{ where: "the test", ids: ["42", "43"] }];
    const [text = ""] = (await lab.up(plan("9999"), { allowedMachines })) ?? [];
    assert.match(text, /waves\.three\.mail: nothing was sent: machine 44 is not among the machines that may be/);
    assert.deepEqual([paths.splice(0), lab.panel.posts.length], [[], 0]);
    await lab.up(plan("9999", { adopt: "77" }));
    assert.equal(lookedUp(), "42,43");
    lab = new PlanLab();
    await lab.up(plan("9999", {}, { lookUp: false }));
    assert.equal(lab.panel.posts.length, 3, "the panel of this test restores from any point");
  });
});
