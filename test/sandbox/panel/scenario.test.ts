import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSandbox } from "../../../sandbox";
import { readArguments } from "../../../sandbox/arguments";
import { readScenarioFile } from "../../../sandbox/panel/scenario";
import { VirtualClock } from "../../support/virtual-clock";
import { inDirectory } from "../support/temporary-directory";

describe("the sandbox's scenario", () => {
  it("without one has machines 42, 43 and 44 with points 1007, 1008 and 1009 and a short history", () => {
    const panel = createSandbox();
    assert.deepEqual(
      panel.machines().map(({ id, recoveryPoints }) => [id, recoveryPoints.map((point) => point.id)]),
      ["42", "43", "44"].map((id) => [id, ["1007", "1008", "1009"]]),
    );
    const history = panel.transactions();
    assert.equal(history.length, 14);
    assert.ok(history.every(({ status }) => status === "complete"));
    const times = history.map(({ createdAt }) => createdAt);
    assert.deepEqual(
      times,
      [...times].sort((left, right) => left - right),
    );
  });

  it("says everything about a panel", () =>
    inDirectory(async (directory) => {
      const file = join(directory, "scenario.json");
      const content = {
        machines: [
          { id: "db-1", identifier: "abc123", label: "db", restoreSeconds: 100, fileSeconds: 20 },
          { id: 7, recoveryPoints: [5, { id: "p6", sizeBytes: 10, ageSeconds: 60, state: "merging" }] },
        ],
        transactions: [
          { machineId: 7, action: "take_backup", status: "failed", ageSeconds: 500, seconds: 30 },
          { machineId: 7, action: "convert_backup", seconds: 3, outcome: "failed", target: { type: "Backup", id: 3 } },
        ],
        background: { perSecond: 0.5 },
        dialect: { preset: "modern", chain: "single" },
        faults: { post: { refuse: { times: 1 } }, get: { delay: 0 } },
        seed: 4,
        speed: 2,
        slots: 1,
        pickupSeconds: 4,
      };
      writeFileSync(file, JSON.stringify(content));
      const clock = new VirtualClock();
      const start = clock.now();
      const panel = createSandbox({ clock, scenario: readScenarioFile(file) });
      panel.postRestoreAsSomebodyElse("db-1", 1007);
      await clock.advance(600_000);
      assert.deepEqual(
        panel.machines().map(({ id, identifier }) => [id, identifier === "abc123"]),
        [
          ["db-1", true],
          ["7", false],
        ],
      );
      assert.deepEqual(
        panel.transactions().map(({ status, startedAt }) => [status, ((startedAt ?? 0) - start) / 1000]),
        [
          ["failed", -500],
          ["failed", 2],
          ["complete", 3.5],
        ],
      );
      assert.deepEqual(
        panel.machines()[1]?.recoveryPoints.map(({ id, createdAt, state }) => [id, createdAt - start, state]),
        [
          ["5", -90_000_000, undefined],
          ["p6", -60_000, "merging"],
        ],
      );
      assert.equal(panel.restores()[0]?.endedAt, start + 53_500);
      assert.equal(panel.dialect().pageCap, 100);
      assert.equal(panel.dialect().chain, "single");
      assert.deepEqual(panel.faults().post, { refuse: { times: 1 } });
    }));

  it("gives way to options beside it", () => {
    const panel = createSandbox({ dialect: "awkward", scenario: { dialect: "modern", machines: [] } });
    assert.equal(panel.dialect().idStyle, "big");
    assert.deepEqual(panel.machines(), []);
    assert.deepEqual(panel.transactions(), []);
  });

  it("names the file of what is no JSON, in one line", () =>
    inDirectory((directory) => {
      const file = join(directory, "scenario.json");
      writeFileSync(file, "{");
      assert.throws(() => readScenarioFile(file), /^SandboxError: scenario file .*scenario\.json: .*JSON.*$/);
      return Promise.resolve();
    }));
});

describe("the sandbox's command line", () => {
  it("becomes options", () => {
    assert.deepEqual(readArguments([]), { port: 8787, control: { port: 8788 } });
    assert.deepEqual(
      readArguments(
        "--port 0 --host ::1 --user u --password p --dialect modern --speed 2.5 --slots 3 --seed 9 --state f".split(
          " ",
        ),
      ),
      {
        port: 0,
        control: { port: 0 },
        host: "::1",
        username: "u",
        password: "p",
        dialect: "modern",
        speed: 2.5,
        slots: 3,
        seed: 9,
        stateFile: "f",
      },
    );
    assert.deepEqual(readArguments(["--port=9000", "--control-port=9100"]), { port: 9000, control: { port: 9100 } });
  });

  it("sets switches on top of the dialect, or of the scenario's", () =>
    inDirectory((directory) => {
      const file = join(directory, "scenario.json");
      writeFileSync(file, '{"dialect":{"preset":"awkward","pageCap":7}}');
      const switches = "--switch pointCap=100 --switch pageCap=null --switch pointTime=future".split(" ");
      const set = { pointCap: 100, pageCap: null, pointTime: "future" };
      assert.deepEqual(readArguments(switches).dialect, { preset: "plain", ...set });
      assert.deepEqual(readArguments(["--dialect", "modern", ...switches]).dialect, { preset: "modern", ...set });
      const { dialect } = readArguments(["--scenario", file, ...switches]);
      assert.deepEqual(dialect, { preset: "awkward", ...set });
      return Promise.resolve();
    }));
});
