import { stackOfPlan, type PlayedPlan, type PlayedStep } from "../../support/stored/plans";
import { stackOf, threeRestores } from "../../support/stored/restores";
import { at, exportedStack, shown } from "../../support/stored/stack";

/** Sample runs for the golden files, the pictures and the tests. */

function step(
  name: string,
  machine: number,
  point: number,
  [requested, queued, ran]: readonly [number, number, number],
  transaction: string,
  takenAt: string,
  more: Partial<PlayedStep> = {},
): PlayedStep {
  return { name, machine, point, requested, queued, ran, transaction, takenAt, ...more };
}

const db = step("db", 43, 1008, [0, 18, 1_452], "5014", "2026-11-21T02:00:00Z", {
  checks: [{ name: "tcp 10.0.0.43", kind: "tcp", host: "10.0.0.43:5432", seconds: 41, attempts: 9 }],
});
const web = step("web", 42, 1007, [1_530, 6, 911], "5015", "2026-11-21T02:10:00Z", {
  checks: [{ name: "http shop.example.com", kind: "http", host: "shop.example.com", seconds: 96, attempts: 20 }],
});
const content = step("content", 44, 1009, [1_531, 64, 133], "5016", "2026-11-20T22:00:00Z", {
  paths: ["/var/www", "/etc/nginx/nginx.conf"],
});
const search = step("search", 51, 1020, [1, 9, 388], "5017", "2026-11-21T01:30:00Z", { status: "failed" });
const badHttp = { name: "http shop.example.com", kind: "http", result: "failed", seconds: 300, attempts: 60 } as const;
const data = { name: "data", restores: [db] } as const;

export const shop: PlayedPlan = {
  goals: { recoveryTimeSeconds: 3_600, dataAgeSeconds: 86_400 },
  wholeGoalSeconds: 3_000,
  waves: [data, { name: "front", goals: { recoveryTimeSeconds: 1_800 }, restores: [web, content] }],
};

export const passed = stackOfPlan(shop);

export const withWarnings = stackOfPlan({
  ...shop,
  kind: "recovery",
  onMissedGoal: "warn",
  incidentAt: "2026-11-21T08:45:00Z",
  waves: [
    { name: "data", goals: { recoveryTimeSeconds: 1_200 }, restores: [{ ...db, adopted: true }] },
    { name: "front", restores: [web, content] },
  ],
});

export const failed = stackOfPlan({
  ...shop,
  waves: [
    { name: "data", restores: [db, search] },
    { name: "front", came: "not begun", restores: [web, content] },
  ],
});

export const checkFailed = stackOfPlan({
  ...shop,
  waves: [
    data,
    {
      name: "front",
      restores: [{ ...web, checks: [{ ...badHttp, why: "the response was 503, not 200 to 299" }] }, content],
    },
  ],
});

/** A run that was killed during the second wave: the wave's intent is stored, but there is no record of what was sent. */
export const brokenOff = stackOfPlan({
  ...shop,
  waves: [
    data,
    { name: "front", came: "asked for", restores: [web, content] },
    { name: "tail", came: "not begun", restores: [{ name: "reports", machine: 60, point: 1044 }] },
  ],
  pending: [{ type: "Wave", name: "shop-wave-front", operation: "creating", of: "shop" }],
});

export const restores = stackOf(threeRestores.toReversed());

const log = "Remote server: backup.internal\n10% done\n<b>done</b>";
export const restoresWithLog = stackOf(
  threeRestores.map((one, index) => (index === 0 ? { ...one, outputs: { logOutput: shown(log) } } : one)),
);

/** A run in which a later attempt first searched for an earlier attempt's restore. */
export const waited = stackOfPlan({
  ...shop,
  waves: [
    {
      name: "data",
      restores: [
        { ...db, earlier: [{ status: "failed", transaction: "5011", requested: -120, ran: 60 }], waited: 150 },
      ],
    },
    ...shop.waves.slice(1),
  ],
});

export const empty = exportedStack([]);

/** Machines in five waves, with one adopted restore and some late restores. */
export function fleet(machines: number): object {
  const perWave = Math.ceil(machines / 5);
  const stepOf = (wave: number, index: number): PlayedStep => {
    const n = wave * perWave + index;
    return {
      name: `${["idp", "pg", "mq", "svc", "edge"][wave] ?? "vm"}-${String(index + 1).padStart(2, "0")}`,
      machine: 100 + n,
      point: 2_000 + n,
      requested: wave * 1_150 + (index % 4),
      queued: 4 + ((n * 37) % 160),
      ran: 300 + ((n * 7_919) % 640),
      transaction: String(6_000 + n),
      takenAt: at(-32_400 + ((n * 613) % 9_000)),
      checks: n % 3 === 0 ? [{ name: "tcp", kind: "tcp", seconds: 20 + ((n * 13) % 90) }] : [],
      ...(n === 57 && { adopted: true }),
    };
  };
  return stackOfPlan({
    plan: "region-north",
    run: "2026-11",
    goals: { recoveryTimeSeconds: 900, dataAgeSeconds: 86_400 },
    onMissedGoal: "warn",
    wholeGoalSeconds: 7_200,
    waves: ["identity", "databases", "queues", "services", "edge"].map((name, wave) => ({
      name,
      restores: Array.from({ length: Math.max(0, Math.min(perWave, machines - wave * perWave)) }, (_, index) =>
        stepOf(wave, index),
      ),
    })),
  });
}

function runOf(run: string, days: number, dbRan: number, webStatus = "complete"): object {
  const state = stackOfPlan({
    ...shop,
    run,
    waves: [
      { name: "data", restores: [{ ...db, ran: dbRan, transaction: "4014" }] },
      {
        name: "front",
        restores: [
          { ...web, status: webStatus, transaction: "4015" },
          { ...content, transaction: "4016" },
        ],
      },
    ],
  });
  return JSON.parse(
    JSON.stringify(state).replaceAll(/\d{4}-\d\d-\d\dT[\d:]+Z/g, (iso) =>
      new Date(Date.parse(iso) + days * 86_400_000).toISOString().replace(".000Z", "Z"),
    ),
  ) as object;
}

export function history(): readonly object[] {
  return [runOf("2026-Q2", -183, 1_900, "failed"), runOf("2026-Q3", -92, 1_380)];
}

export const hostileText = `</script><script>alert(1)</script><img src=x onerror=alert(2)>'" onload="x\`]( javascript:alert(3))|\u{202e}evil\u{0}\u{1b}[31m\u{d800}\n# heading\n@everyone <{%x%}> ]]> &amp;`;

/** A plan in which all text is hostile, names are long and figures are invalid. */
export const hostile = stackOfPlan({
  plan: `plan ${hostileText}`,
  run: hostileText,
  kind: "recovery",
  goals: { recoveryTimeSeconds: -5, dataAgeSeconds: Infinity },
  incidentAt: hostileText,
  notes: { owner: hostileText, [hostileText]: "x" },
  by: {
    user: hostileText,
    host: hostileText,
    version: hostileText,
    pipeline: { name: hostileText, url: "javascript:alert(1)" },
  },
  changed: { [hostileText]: hostileText },
  waves: [
    {
      name: hostileText,
      restores: [
        {
          ...db,
          name: hostileText,
          machine: hostileText,
          point: hostileText,
          transaction: hostileText,
          takenAt: hostileText,
          warnings: [hostileText],
        },
        { ...content, name: "x".repeat(2_000_000), paths: [hostileText, ...Array.from({ length: 300 }, () => "/x")] },
        {
          ...search,
          stop: { sent: "no", why: hostileText },
          checks: [{ name: hostileText, kind: "tcp", why: hostileText }],
        },
      ],
    },
  ],
});

export const everything = stackOfPlan({
  ...shop,
  goals: { recoveryTimeSeconds: 3_600 },
  kind: "recovery",
  onFailure: "continue",
  incidentAt: "2026-11-21T08:45:00Z",
  notes: { scenario: "The site is gone", owner: "Ada", approver: "Mara" },
  by: {
    user: "runner",
    host: "runner-7",
    version: "1.0.0",
    pipeline: { name: "GitHub Actions", url: "https://ci.example.com/shop/runs/813" },
  },
  changed: { "waves.data.db": "2026-11-21T10:32:10Z" },
  waves: [
    {
      name: "data",
      restores: [
        { ...db, earlier: [{ status: "failed", transaction: "5011", requested: -120, ran: 60 }] },
        search,
        { ...search, name: "mail", machine: 45, transaction: "5018", status: "cancelled", requested: 3 },
        { ...search, name: "cache", machine: 46, transaction: "5019", failedPart: "5021" },
        {
          name: "queue",
          machine: 47,
          stop: { sent: "no", why: "not sent: machine 47 was busy for 30m" },
          came: "asked for",
        },
      ],
    },
    {
      name: "front",
      goals: { recoveryTimeSeconds: 900, dataAgeSeconds: 86_400 },
      restores: [
        {
          ...web,
          adopted: true,
          rule: { pick: "newest" },
          chosen: { listed: 9, fitted: 8, incidentAt: "2026-11-21T08:00:00Z" },
          checks: [
            { ...badHttp, why: "the response was 503" },
            { name: "tcp 10.0.0.42", kind: "tcp", seconds: 2, later: true, failedBefore: true },
          ],
        },
        { ...content, checks: [{ name: "psql", kind: "command", result: "not run" }] },
        { name: "logs", machine: 48, requested: 1_600, status: "running", transaction: "5022" },
      ],
    },
    { name: "tail", came: "asked for", restores: [{ name: "wiki", machine: 62, rule: { pick: "random" } }] },
  ],
  pending: [{ type: "Wave", name: "shop-wave-tail", operation: "creating", of: "shop" }],
});
