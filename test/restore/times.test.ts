import assert from "node:assert/strict";
import fc from "fast-check";
import type { Row } from "../../provider/rows/chains";
import { restoreTimes } from "../../provider/restore/build-record";
import { row } from "./support/rows";

const at = (clock: string): string => `2026-11-21T${clock}Z`;

describe("times by the panel's own stamps", () => {
  const table: readonly [
    name: string,
    rows: readonly Row[],
    ended: "ended" | "unfinished",
    times: ReturnType<typeof restoreTimes>,
  ][] = [
    ["nothing told", [row(1)], "ended", {}],
    [
      "all told",
      [
        row(1, {
          createdAt: at("10:00:00"),
          startedAt: at("10:02:00"),
          finishedAt: at("10:06:12"),
          updatedAt: at("11:00:00"),
        }),
      ],
      "ended",
      {
        requestedAt: at("10:00:00"),
        startedAt: at("10:02:00"),
        finishedAt: at("10:06:12"),
        queuedSeconds: 120,
        durationSeconds: 372,
      },
    ],
    [
      "no end stamp: the last update is the end",
      [row(1, { createdAt: at("10:00:00"), updatedAt: at("10:01:00") })],
      "ended",
      { requestedAt: at("10:00:00"), finishedAt: at("10:01:00"), durationSeconds: 60 },
    ],
    [
      "not ended: no end, however often it was touched",
      [row(1, { createdAt: at("10:00:00"), startedAt: at("10:00:30"), updatedAt: at("10:01:00") })],
      "unfinished",
      { requestedAt: at("10:00:00"), startedAt: at("10:00:30"), queuedSeconds: 30 },
    ],
    [
      "a chain, from its first request to its last end",
      [
        row(1, { createdAt: at("10:00:00"), startedAt: at("10:00:10"), updatedAt: at("10:00:20") }),
        row(2, { createdAt: at("10:00:01"), startedAt: at("10:00:20"), updatedAt: at("10:05:00") }),
      ],
      "ended",
      {
        requestedAt: at("10:00:00"),
        startedAt: at("10:00:10"),
        finishedAt: at("10:05:00"),
        queuedSeconds: 10,
        durationSeconds: 300,
      },
    ],
    [
      "stamps of two zones",
      [
        row(1, {
          createdAt: "2026-11-21T13:00:00+03:00",
          startedAt: at("10:00:05"),
          finishedAt: "2026-11-21T05:00:30-05:00",
        }),
      ],
      "ended",
      {
        requestedAt: "2026-11-21T13:00:00+03:00",
        startedAt: at("10:00:05"),
        finishedAt: "2026-11-21T05:00:30-05:00",
        queuedSeconds: 5,
        durationSeconds: 30,
      },
    ],
    [
      "stamps that run backwards give no durations",
      [row(1, { createdAt: at("10:00:00"), startedAt: at("09:00:00"), finishedAt: at("09:30:00") })],
      "ended",
      { requestedAt: at("10:00:00"), startedAt: at("09:00:00"), finishedAt: at("09:30:00") },
    ],
    [
      "stamps without a zone tell durations as well",
      [
        row(1, {
          createdAt: "2026-11-21T10:00:00",
          startedAt: "2026-11-21 10:00:05",
          finishedAt: "2026-11-21T10:01:00",
        }),
      ],
      "ended",
      {
        requestedAt: "2026-11-21T10:00:00",
        startedAt: "2026-11-21 10:00:05",
        finishedAt: "2026-11-21T10:01:00",
        queuedSeconds: 5,
        durationSeconds: 60,
      },
    ],
    [
      "stamps of which only one names its zone tell none",
      [row(1, { createdAt: "2026-11-21T10:00:00", startedAt: at("10:00:05"), finishedAt: "2026-11-21T10:01:00" })],
      "ended",
      {
        requestedAt: "2026-11-21T10:00:00",
        startedAt: at("10:00:05"),
        finishedAt: "2026-11-21T10:01:00",
        durationSeconds: 60,
      },
    ],
    ["stamps nobody can read", [row(1, { createdAt: "yesterday", startedAt: "", finishedAt: "soon" })], "ended", {}],
  ];
  for (const [name, rows, ended, times] of table) {
    it(name, () => {
      assert.deepEqual(restoreTimes(rows, ended), times);
    });
  }

  describe("on a runner whose own zone changes its clock in between", () => {
    const zone = process.env["TZ"];
    before(() => {
      process.env["TZ"] = "Europe/Berlin";
      assert.equal(
        new Date("2026-10-25T03:30:00").getTime() - new Date("2026-10-25T00:30:00").getTime(),
        4 * 3_600_000,
      );
    });
    after(() => {
      if (zone === undefined) delete process.env["TZ"];
      else process.env["TZ"] = zone;
    });
    it("stamps without a zone give the panel's own hours", () => {
      const night = row(1, { createdAt: "2026-10-25T00:30:00", finishedAt: "2026-10-25T03:30:00" });
      assert.equal(restoreTimes([night], "ended").durationSeconds, 3 * 3_600);
    });
  });

  it("no duration is negative, not a number, or invented", () => {
    const stamp = fc.option(
      fc.oneof(
        fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
        fc.string(),
      ),
    );
    fc.assert(
      fc.property(
        fc.array(fc.record({ createdAt: stamp, startedAt: stamp, finishedAt: stamp, updatedAt: stamp }), {
          maxLength: 4,
        }),
        (drawn) => {
          const rows = drawn.map((fields, id) =>
            row(id, Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))),
          );
          const times = restoreTimes(rows, "ended");
          for (const seconds of [times.queuedSeconds, times.durationSeconds]) {
            assert.ok(seconds === undefined || (Number.isInteger(seconds) && seconds >= 0));
          }
          if (times.queuedSeconds !== undefined)
            assert.ok(times.requestedAt !== undefined && times.startedAt !== undefined);
          if (times.durationSeconds !== undefined)
            assert.ok(times.requestedAt !== undefined && times.finishedAt !== undefined);
        },
      ),
    );
  });
});
