import type { Case } from "../report";
import { requestsTable } from "../simulation/requests-table";

export const smallPages: Case = {
  name: "small-pages",
  run: () =>
    requestsTable({
      title: "List requests, page size 10",
      about:
        "The same on a panel that gives no more than ten rows per page. At 100 restores every 5th poller was run, at 1,000 every 500th.",
      drill: { dialect: { pageCap: 10 } },
      sizes: [
        { restores: 1, sampleEvery: 1 },
        { restores: 10, sampleEvery: 1 },
        { restores: 100, sampleEvery: 5, atMost: 700 },
        { restores: 1_000, sampleEvery: 500 },
      ],
    }),
};
