import { resourcesOf, type PlayedPlan } from "../../report/support/plans";
import { intentResource, restoreResource, type Played } from "../../report/support/restores";
import { exportedStack, urnOf, type StackResource } from "../../report/support/stack";

const plan: PlayedPlan = {
  goals: { recoveryTimeSeconds: 3_600 },
  waves: [
    {
      name: "data",
      restores: [
        {
          name: "db",
          machine: 43,
          point: 1008,
          rule: { pick: "newest" },
          chosenFrom: { listed: 9, fitted: 8 },
          takenAt: "2026-11-21T02:00:00Z",
          requested: 0,
          queued: 18,
          ran: 1_452,
          transaction: "5014",
          checks: [{ kind: "command", name: "orders are there", target: "psql" }],
        },
      ],
    },
    {
      name: "front",
      stored: false,
      restores: [
        {
          name: "web",
          machine: 42,
          point: 1007,
          came: "not begun",
          checks: [{ kind: "http", target: "https://shop.example.com/health" }],
        },
        { name: "content", machine: 42, point: 1009, paths: ["/var/www", "/srv/it's $HOME"], came: "not begun" },
      ],
    },
  ],
  verdict: "not stored",
};

const mail: Played = { name: "mail", machine: 44, point: 1007, requested: 0, ran: 600, transaction: "5021" };
const boxes: Played = {
  name: "boxes",
  machine: 44,
  point: 1008,
  paths: ["/var/mail"],
  requested: 700,
  ran: 60,
  transaction: "5022",
};

/** Puts a restore behind another one, as the program hands it over. */
function behind(one: Played, before: Played): StackResource {
  const predecessor = { urn: urnOf(restoreResource(before)), transactionIds: [before.transaction] };
  return { ...restoreResource(one), inputs: { predecessor } };
}

/** A plan of two waves, the second not begun, and two restores of a machine beside it. The later one is stored first. */
export const runbookCase = exportedStack([
  ...resourcesOf(plan),
  intentResource(boxes),
  behind(boxes, mail),
  intentResource(mail),
  restoreResource(mail),
]);
