import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { type Gauge, writeMetrics } from "../../../cli/parts/metrics";
import { inDirectory } from "../../sandbox/support/temporary-directory";
import { readMetrics } from "../support/prometheus";

describe("a file of metrics", () => {
  it("can be read, whatever the labels hold", () =>
    inDirectory((folder) => {
      const written = (gauge: Gauge) =>
        readMetrics(readFileSync(writeMetrics(join(folder, "m.prom"), [gauge]), "utf8"));
      const text = fc.oneof(fc.string(), fc.constantFrom('a"b', "a\\", "a\nb", "\\n", '"}'));
      const values = fc.array(fc.tuple(text, fc.oneof(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), fc.boolean())));
      fc.assert(
        fc.property(values, (given) => {
          const samples = given.map(([restore, value]) => ({ labels: { restore }, value }));
          const gauge: Gauge = { name: "made_up", help: "With \\ and\na line.", samples };
          const read = written(gauge).map(({ labels }) => labels["restore"]);
          assert.deepEqual(read, [...new Set(given.map(([restore]) => restore))]);
        }),
      );
    }));
});
