import type { Case } from "../report";
import { requestsTable } from "../simulation/requests-table";

export const requests: Case = {
  name: "requests",
  run: () =>
    requestsTable({
      title: "List requests, page size 100",
      about: "Restores of ten minutes, all posted at the same time. For 1,000 restores every 50th poller was run.",
      drill: {},
      sizes: [
        { restores: 1, sampleEvery: 1 },
        { restores: 10, sampleEvery: 1 },
        { restores: 100, sampleEvery: 1, atMost: 70 },
        { restores: 1_000, sampleEvery: 50, atMost: 700 },
      ],
    }),
};
