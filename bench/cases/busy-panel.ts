import type { Case } from "../report";
import { requestsTable } from "../simulation/requests-table";

export const busyPanel: Case = {
  name: "busy-panel",
  run: () =>
    requestsTable({
      title: "List requests, page size 100, ten foreign rows a second",
      about:
        "The same while others add ten rows a second: after ten minutes 6,000 rows lie above the restores. At 100 " +
        "restores every 50th poller was run, at 1,000 every 500th.",
      drill: { foreignRowsPerSecond: 10 },
      sizes: [
        { restores: 1, sampleEvery: 1 },
        { restores: 10, sampleEvery: 5 },
        { restores: 100, sampleEvery: 50 },
        { restores: 1_000, sampleEvery: 500 },
      ],
    }),
};
