import { type PlayedPlan, type PlayedStep, resourcesOf, stackOfPlan } from "./plans";
import { intentResource, restoreResource, stackOf, threeRestores } from "./restores";
import { at, exportedStack, shown, type StackResource } from "./stack";

/** The runs that golden files, pictures and tests are made of. */

const db: PlayedStep = {
  name: "db",
  machine: 43,
  point: 1008,
  requested: 0,
  queued: 18,
  ran: 1_452,
  transaction: "5014",
  takenAt: "2026-11-21T02:00:00Z",
  checks: [{ kind: "tcp", target: "10.0.0.43:5432", seconds: 41, tries: 9 }],
};
const web: PlayedStep = {
  name: "web",
  machine: 42,
  point: 1007,
  requested: 1_530,
  queued: 6,
  ran: 911,
  transaction: "5015",
  takenAt: "2026-11-21T02:10:00Z",
  checks: [
    {
      kind: "http",
      target: "https://shop.example.com/health",
      expects: 'status 200, containing "ok"',
      seconds: 96,
      tries: 20,
    },
  ],
};
const content: PlayedStep = {
  name: "content",
  machine: 44,
  point: 1009,
  paths: ["/var/www", "/etc/nginx/nginx.conf"],
  requested: 1_531,
  queued: 64,
  ran: 133,
  transaction: "5016",
  takenAt: "2026-11-20T22:00:00Z",
};
const search: PlayedStep = {
  name: "search",
  machine: 51,
  point: 1020,
  requested: 1,
  queued: 9,
  ran: 388,
  status: "failed",
  transaction: "5017",
  takenAt: "2026-11-21T01:30:00Z",
  log: "password=hunter2\nFatal: input/output error",
};

const shop: PlayedPlan = {
  goals: { recoveryTimeSeconds: 3_600, dataAgeSeconds: 86_400 },
  wholeGoalSeconds: 3_000,
  waves: [
    { name: "data", restores: [db] },
    { name: "front", goals: { recoveryTimeSeconds: 1_800 }, restores: [web, content] },
  ],
};

export const passed = stackOfPlan(shop);

/** Each restore has another rule: one with a window, one before an earlier `incidentAt`, one that was not begun. */
export const byRule = stackOfPlan({
  ...shop,
  kind: "recovery",
  onFailure: "continue",
  waves: [
    {
      name: "data",
      restores: [
        {
          ...db,
          rule: { pick: "newest", before: "2026-11-21T08:00:00Z", within: 604_800 },
          chosenFrom: { listed: 12, fitted: 5 },
        },
      ],
    },
    {
      name: "front",
      restores: [
        { ...web, rule: { pick: "newest" }, chosenFrom: { listed: 9, fitted: 8, incidentAt: "2026-11-21T08:00:00Z" } },
      ],
    },
    { name: "files", stored: false, restores: [{ ...content, rule: { pick: "random" }, came: "not begun" }] },
  ],
  verdict: "not stored",
  runFields: { incidentAt: "2026-11-21T08:45:00Z" },
});

export const withWarnings = stackOfPlan({
  ...shop,
  kind: "recovery",
  onMissedGoal: "warn",
  waves: [
    {
      name: "data",
      goals: { recoveryTimeSeconds: 1_200 },
      restores: [
        {
          ...db,
          adopted: true,
          warnings: ["adopted transaction 5014 (restore_backup), made 40s before this run looked"],
        },
      ],
    },
    { name: "front", restores: [web, content] },
  ],
  verdict: { verdict: "passed with warnings", reasons: ["db took 25 min 15 s, its goal is 20 min", "db was adopted"] },
  runFields: { changed: true, changedPaths: ["waves[0].goals.recoveryTime"], incidentAt: "2026-11-21T08:45:00Z" },
});

export const failed = stackOfPlan({
  ...shop,
  waves: [
    {
      name: "data",
      restores: [db, search],
    },
    {
      name: "front",
      stored: false,
      restores: [
        { ...web, came: "not begun" },
        { ...content, came: "not begun" },
      ],
    },
  ],
  verdict: "not stored",
});

export const checkFailed = stackOfPlan({
  ...shop,
  waves: [
    { name: "data", restores: [db] },
    {
      name: "front",
      restores: [
        {
          ...web,
          checks: [
            {
              kind: "http",
              target: "https://shop.example.com/health",
              result: "failed",
              seconds: 300,
              tries: 60,
              reason: "the answer was 503, not 200 to 299 (60 tries in 5m)",
            },
          ],
        },
        content,
      ],
    },
  ],
  verdict: { verdict: "failed", reasons: ["a check of web failed: http https://shop.example.com/health"] },
});

/** A resource of another package between the waves. */
const command = (name: string, seconds: number): StackResource => ({
  type: "command:local:Command",
  name,
  outputs: {},
  modified: at(seconds),
});

/**
 * One machine came back at the second try; another got a further check after it had passed the first one. Between the waves, one resource has
 * run and one has not, since the last run.
 */
export const retried = stackOfPlan({
  ...shop,
  waves: [
    {
      name: "data",
      restores: [
        {
          ...db,
          earlierTries: [
            {
              status: "failed",
              transactionIds: ["5011"],
              requestedAt: "2026-11-21T09:58:00Z",
              finishedAt: "2026-11-21T09:59:00Z",
              checks: [],
            },
          ],
        },
      ],
    },
    {
      name: "front",
      between: [command("dns", 1_520), command("cache", -86_400)],
      restores: [
        { ...web, checks: [...(web.checks ?? []), { kind: "tcp", target: "10.0.0.42:443", addedLater: true }] },
        content,
      ],
    },
  ],
  verdict: { verdict: "passed with warnings", reasons: ["db (wave data): it came back at try 2"] },
});

/** Killed during the second wave: one restore is posted, one has only its intent. */
export const brokenOff = stackOfPlan({
  ...shop,
  waves: [
    { name: "data", restores: [db] },
    {
      name: "front",
      stored: false,
      restores: [
        { ...web, status: "running", came: "posted" },
        { ...content, came: "intent saved" },
      ],
    },
    { name: "tail", stored: false, restores: [{ name: "reports", machine: 60, point: 1044, came: "not begun" }] },
  ],
  verdict: "not stored",
  pending: [{ type: "FileRestore", name: "shop-content", operation: "creating", of: "shop" }],
});

export const restores = stackOf(threeRestores);

const log = "Remote server: backup.internal\n10% done\n<b>done</b>";
export const restoresWithLog = stackOf(
  threeRestores.map((one, index) => (index === 0 ? { ...one, outputs: { logOutput: shown(log) } } : one)),
);

/** A hundred machines in five waves, with a failure, an adoption and late ones. */
export function fleet(machines: number): object {
  const perWave = Math.ceil(machines / 5);
  const waves = Array.from({ length: 5 }, (_, wave) => ({
    name: ["identity", "databases", "queues", "services", "edge"][wave] ?? "more",
    restores: Array.from(
      { length: Math.max(0, Math.min(perWave, machines - wave * perWave)) },
      (_unused, index): PlayedStep => {
        const n = wave * perWave + index;
        return {
          name: `${["idp", "pg", "mq", "svc", "edge"][wave] ?? "vm"}-${String(index + 1).padStart(2, "0")}`,
          machine: 100 + n,
          point: 2_000 + n,
          requested: wave * 1_150 + (index % 4),
          queued: 4 + ((n * 37) % 160),
          ran: 300 + ((n * 7_919) % 640),
          transaction: String(6_000 + n),
          takenAt: new Date(Date.parse("2026-11-21T01:00:00Z") + ((n * 613) % 9_000) * 1_000).toISOString(),
          checks: n % 3 === 0 ? [{ kind: "tcp", target: `10.0.1.${String(n)}:22`, seconds: 20 + ((n * 13) % 90) }] : [],
          ...(n === 57 && {
            adopted: true,
            warnings: ["adopted transaction 6057 (restore_backup), made 2m before this run looked"],
          }),
        };
      },
    ),
  }));
  return stackOfPlan({
    plan: "region-north",
    run: "2026-11",
    goals: { recoveryTimeSeconds: 1_200, dataAgeSeconds: 86_400 },
    wholeGoalSeconds: 7_200,
    waves,
    verdict: { verdict: "passed with warnings", reasons: ["svc-18 was adopted"] },
  });
}

/** The same plan a quarter earlier, with other figures. */
export const earlier = aRun("2026-Q3", -92, { dbRan: 1_380, webRan: 1_020 });

function aRun(
  run: string,
  days: number,
  { dbRan, webRan, webFails = false }: { dbRan: number; webRan: number; webFails?: boolean },
): object {
  const shift = days * 86_400;
  const state = stackOfPlan({
    ...shop,
    run,
    waves: [
      { name: "data", restores: [{ ...db, ran: dbRan, transaction: "4014" }] },
      {
        name: "front",
        goals: { recoveryTimeSeconds: 1_800 },
        restores: [
          { ...web, ran: webRan, transaction: "4015", ...(webFails && { status: "failed" }) },
          { ...content, transaction: "4016" },
        ],
      },
    ],
    verdict: webFails ? { verdict: "failed", reasons: ["web failed"] } : {},
  });
  // Moves every time in the state, those of recovery points included.
  return JSON.parse(
    JSON.stringify(state).replaceAll(/"(\d{4}-\d\d-\d\dT[\d:]+Z)"/g, (_, iso: string) =>
      JSON.stringify(new Date(Date.parse(iso) + shift * 1_000).toISOString().replace(".000Z", "Z")),
    ),
  ) as object;
}

export function history(): readonly object[] {
  return [
    aRun("2025-Q4", -365, { dbRan: 2_100, webRan: 1_700 }),
    aRun("2026-Q1", -274, { dbRan: 1_900, webRan: 1_650, webFails: true }),
    aRun("2026-Q2", -183, { dbRan: 1_600, webRan: 1_210 }),
    earlier,
    passed,
  ];
}

export const hostileText = `</script><script>alert(1)</script><img src=x onerror=alert(2)>'" onload="x\`]( javascript:alert(3))|\u{202e}evil\u{0}\u{1b}[31m\u{d800}\n# heading\n@everyone <{%x%}> ]]> &amp;`;

/** All texts are hostile, names are long and figures are invalid. */
export const hostile = stackOfPlan({
  plan: `plan ${hostileText}`,
  run: hostileText,
  goals: { recoveryTimeSeconds: -5, dataAgeSeconds: Infinity },
  waves: [
    {
      name: hostileText,
      between: [command(hostileText, 0)],
      restores: [
        {
          ...db,
          name: `db ${hostileText}`,
          machine: hostileText,
          point: `p ${hostileText}`,
          transaction: hostileText,
          warnings: [hostileText],
          checks: [
            {
              kind: "http",
              target: `javascript:${hostileText}`,
              result: "failed",
              reason: hostileText,
              expects: hostileText,
            },
          ],
        },
        { ...web, name: "x".repeat(1_000_000), status: hostileText, initErrors: [hostileText] },
        { ...content, name: `missing ${hostileText}`, came: "not begun", paths: [hostileText] },
      ],
      stored: false,
    },
    {
      name: `changed ${hostileText}`,
      restores: [],
      takenOut: [
        {
          ...web,
          name: `out ${hostileText}`,
          machine: hostileText,
          transaction: hostileText,
          checks: [{ kind: "command", name: hostileText, target: hostileText, result: "failed", reason: hostileText }],
          earlierTries: [{ status: hostileText as never, transactionIds: [hostileText], checks: [] }],
        },
      ],
    },
  ],
  verdict: "not stored",
  runFields: {
    history: [
      {
        at: hostileText,
        by: { user: hostileText, host: hostileText },
        changes: [{ path: hostileText, before: hostileText, after: hostileText }, { path: "p".repeat(1_000_000) }],
      },
      { at: at(9), by: {}, pipeline: { name: hostileText, actor: hostileText }, changes: [] },
    ],
    pipeline: { name: hostileText, url: `javascript:alert(1)//${hostileText}` },
    notes: { scenario: hostileText, owner: "y".repeat(1_000_000) },
    panel: `https://panel/${hostileText}`,
    versions: { [hostileText]: hostileText },
    changed: true,
    changedPaths: [hostileText],
  },
});

/** A stack without any update. */
export const empty = { version: 3, deployment: { manifest: { time: "2026-11-21T10:00:00Z", magic: "", version: "" } } };

export const restoresUnfinished = stackOf([
  { ...threeRestores[0]!, status: "running", initErrors: ["web has not ended within the run limit of 2s"] },
  { ...threeRestores[1]!, status: "accepted", transaction: "5015" },
]);

export const withCheckOutput = stackOfPlan({
  ...shop,
  waves: [{ name: "data", restores: [{ ...db, log: "pg_ctl: done" }], output: { db: "row count 42" } }],
});

export const planAndRestores = exportedStack([
  ...resourcesOf(shop),
  ...threeRestores.flatMap((one) => [intentResource(one), restoreResource(one)]),
]);

/** A run that was changed after it had failed: a machine and a check taken out, a goal raised. It passes with warnings at best. */
export const changed = stackOfPlan({
  ...shop,
  goals: { recoveryTimeSeconds: 7_200, dataAgeSeconds: 86_400 },
  wholeGoalSeconds: 10_800,
  waves: [
    {
      name: "data",
      takenOut: [{ ...content, name: "mail", machine: 45, status: "failed", transaction: "5009" }],
      restores: [
        {
          ...db,
          earlierTries: [
            {
              status: "complete",
              transactionIds: ["5011"],
              requestedAt: "2026-11-21T09:28:00Z",
              finishedAt: "2026-11-21T09:49:00Z",
              checks: [
                { kind: "tcp", target: "10.0.0.43:5432", result: "failed", reason: "the connection was refused" },
              ],
            },
            {
              status: "complete",
              transactionIds: [db.transaction ?? ""],
              requestedAt: "2026-11-21T10:00:00Z",
              finishedAt: "2026-11-21T10:24:30Z",
              checks: [{ kind: "command", target: "psql", result: "failed", reason: "it ended with 2, not 0" }],
            },
          ],
        },
      ],
    },
    { name: "front", goals: { recoveryTimeSeconds: 1_800 }, restores: [web, content] },
  ],
  verdict: { verdict: "passed with warnings", reasons: [] },
  runFields: {
    history: [
      {
        at: "2026-11-21T09:52:10Z",
        by: { user: "mara", host: "runner-7" },
        changes: [
          { path: "goals.recoveryTimeSeconds", before: "3600", after: "7200" },
          { path: "wholeGoals.recoveryTimeSeconds", before: "3000", after: "10800" },
          {
            path: "waves.data.restores.mail",
            before: `{"virtualMachineId":"45","recoveryPointId":"1009","checks":[]}`,
          },
          { path: "waves.data.restores.db.checks[1]", before: `{"kind":"command","target":"psql"}` },
        ],
      },
    ],
  },
});

/** All that can happen, in one run: the story whose page, JSON and JUnit XML are golden files as a whole. */
export const everything = stackOfPlan({
  ...shop,
  kind: "recovery",
  onMissedGoal: "warn",
  onFailure: "continue",
  waves: [
    {
      name: "data",
      goals: { recoveryTimeSeconds: 1_200 },
      takenOut: [
        {
          ...content,
          name: "mail",
          machine: 45,
          transaction: "5009",
          checks: [{ kind: "tcp", target: "10.0.0.45:25", result: "failed", reason: "the connection was refused" }],
          earlierTries: [
            { status: "failed", transactionIds: ["5008"], requestedAt: at(0), finishedAt: at(40), checks: [] },
          ],
        },
      ],
      restores: [
        {
          ...db,
          rule: { pick: "newest", before: "2026-11-21T08:00:00Z", within: 604_800 },
          chosenFrom: { listed: 12, fitted: 5 },
          adopted: true,
          warnings: ["adopted transaction 5014 (restore_backup), made 40s before this run looked"],
        },
        search,
        {
          name: "cache",
          machine: 52,
          point: 1021,
          requested: 2,
          queued: 3,
          ran: 120,
          transaction: "5019",
          earlierTries: [
            {
              status: "complete",
              transactionIds: ["5018"],
              requestedAt: "2026-11-21T09:58:00Z",
              finishedAt: "2026-11-21T09:59:00Z",
              checks: [
                { kind: "tcp", target: "10.0.0.52:6379", result: "failed", reason: "the connection was refused" },
              ],
            },
          ],
          checks: [
            { kind: "tcp", target: "10.0.0.52:6379" },
            { kind: "command", name: "keys are there", target: "redis-cli", addedLater: true },
          ],
        },
      ],
    },
    {
      name: "front",
      between: [command("dns", 1_520), command("certificates", -86_400)],
      restores: [
        {
          ...web,
          rule: { pick: "newest" },
          chosenFrom: { listed: 9, fitted: 8, incidentAt: "2026-11-21T08:00:00Z" },
          checks: [
            {
              kind: "http",
              target: "https://shop.example.com/health",
              expects: 'status 200, containing "ok"',
              result: "failed",
              seconds: 300,
              tries: 60,
              reason: "the answer was 503, not 200 to 299 (60 tries in 5m)",
            },
          ],
        },
        content,
      ],
    },
    {
      name: "tail",
      stored: false,
      restores: [
        {
          name: "reports",
          machine: 60,
          point: 1044,
          requested: 1_900,
          status: "running",
          came: "posted",
          transaction: "5020",
        },
        { name: "archive", machine: 61, point: 1045, paths: ["/srv"], came: "intent saved" },
        { name: "wiki", machine: 62, rule: { pick: "random" }, came: "not begun" },
      ],
    },
  ],
  verdict: "not stored",
  runFields: {
    incidentAt: "2026-11-21T08:45:00Z",
    changed: true,
    changedPaths: ["waves[0].goals.recoveryTime"],
    history: [
      {
        at: "2026-11-21T10:32:10Z",
        by: { user: "mara", host: "runner-7" },
        pipeline: { name: "GitHub Actions", actor: "mara", url: "https://ci.example.com/shop/runs/813" },
        changes: [
          { path: "wholeGoals.recoveryTimeSeconds", before: "2400", after: "3000" },
          {
            path: "waves.data.restores.mail",
            before: `{"virtualMachineId":"45","recoveryPointId":"1009","checks":[]}`,
          },
          { path: "waves.data.restores.cache.checks[1]", after: `{"kind":"command","target":"redis-cli"}` },
        ],
      },
    ],
  },
  pending: [{ type: "FileRestore", name: "shop-archive", operation: "creating", of: "shop" }],
});
