import { plan } from "../../support/stored/plans";
import { complete, pendingOn, restore } from "../../support/stored/restores";
import { exportedStack, urnOf } from "../../support/stored/stack";

const dns = { type: "cloud:dns:Record", name: "www" };

/** A plan of two waves with checks, goals and notes, and two restores outside the plan: a running restore and a failed file restore. */
export const runbookCase = exportedStack(
  [
    ...restore({ name: "mail", machine: "44", status: "running", transaction: "5016" }),
    ...plan(
      {
        data: {
          db: {
            machine: "43",
            point: "1008",
            goals: { recoveryTimeSeconds: 3_905 },
            checks: [{ name: "tcp 10.0.0.43", kind: "tcp", host: "10.0.0.43" }],
            ...complete("5014"),
          },
        },
        front: {
          web: {
            machine: "42",
            rule: { pick: "newest" },
            checks: [{ name: "http shop.example.com", kind: "http", host: "shop.example.com" }],
          },
          content: { machine: "42", paths: ["/var/www", "/it's here"] },
        },
      },
      {
        notes: { owner: "Shop team", scenario: "The data centre is gone" },
        incidentAt: "2026-11-20T09:30:00Z",
        wholeGoalSeconds: 7_200,
        carriedOut: ["data"],
      },
    ),
    { ...dns, outputs: {} },
    ...restore({ name: "etc", paths: ["/etc/hosts"], machine: "45", status: "failed", transaction: "5017" }).map(
      (one) => ({ ...one, dependencies: [urnOf({ type: "VmRestore", name: "mail" }), urnOf(dns)] }),
    ),
  ],
  [pendingOn("shop-wave-front", "Wave", "shop")],
);
