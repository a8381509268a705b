import assert from "node:assert/strict";
import { type Dialect, dialects, type Scenario } from "../../../sandbox";
import { VirtualClock } from "../../support/virtual-clock";
import { type Answered, ask, filesLine, restoreLine, withSandbox } from "../support/ask";
import { switches } from "../support/switches";

const work = { machineId: 43, action: "work", locks: false };
const scenario: Scenario = {
  machines: [
    { id: 42, identifier: "web1" },
    { id: 43, recoveryPoints: [{ id: 101, ageSeconds: 10 }, 102] },
    { id: 44, identifier: "db1", recoveryPoints: Array.from({ length: 12 }, (_, index) => index + 1) },
    { id: 45, recoveryPoints: [] },
  ],
  transactions: [
    ...Array.from({ length: 8 }, () => ({ ...work, status: "complete" as const })),
    { machineId: 42, action: "take_backup", status: "cancelled" as const },
    { ...work, seconds: 50 },
    { ...work, seconds: 5 },
  ],
};

/** Requests to a panel, in this order. A number is a pause in seconds. */
const script: readonly (string | number)[] = [
  ...[restoreLine, restoreLine, restoreLine.replace("machines", "servers"), filesLine],
  ...[".json", ".json/page/2", ".xml/per_page/3", ".json/per_page/100"].map((list) => `GET /transactions${list}`),
  60,
  ...[
    ".json",
    ".xml/page/2",
    ".json?detailed",
    ".json/page/9",
    ".json/page/2/per_page/4",
    ".json?page=2&per_page=4",
  ].map((list) => `GET /transactions${list}`),
  ...["42/logs.json", "42/logs.xml", "web1/logs.json/page/2", "45/logs.xml"].map(
    (log) => `GET /virtual_machines/${log}`,
  ),
  ...["", "/page/2", "/per_page/5", "/page/2/per_page/5", "?page=2&per_page=5", "/per_page/1000"].map(
    (page) => `GET /virtual_machines/44/backups/recovery_points.json${page}`,
  ),
  ...["machines/42", "machines/45", "servers/42"].map((one) => `GET /virtual_${one}/backups/recovery_points.xml`),
  ...["GET /nothing.json", "GET /nothing.xml"],
];

/** Switches that have an effect only together with other switches, which are listed here as values. */
const together: Readonly<Partial<Record<keyof Dialect, Partial<Dialect>>>> = {
  rows: { machineTie: "field" },
};

const others: readonly Partial<Dialect>[] = [
  ...[{ pageCap: 5 }, { pointCap: 5 }, { pointPageSize: 7 }, { pageCap: 5, pointCap: 8 }, { listingDelaySeconds: 20 }],
  ...[{ utcOffsetMinutes: 180 }, { utcOffsetMinutes: -210 }, { clockSkewSeconds: -61 }],
];

/** The response to each request in the script: its status, the headers that vary, and a line for each row. */
async function played(dialect: Partial<Dialect>): Promise<readonly (readonly string[])[]> {
  const clock = new VirtualClock();
  return withSandbox({ clock, dialect, scenario }, async (sandbox) => {
    sandbox.failNext(42, "failed");
    const answers: (readonly string[])[] = [];
    for (const step of script) {
      if (typeof step === "number") await clock.advance(step * 1_000);
      else answers.push(linesOf(await ask(sandbox.url, step, step === filesLine ? { body: '{"paths":["/a"]}' } : {})));
    }
    return answers;
  });
}

function linesOf({ status, headers, text }: Answered): readonly string[] {
  const told = ["content-type", "date", "location", "x-page", "x-limit", "x-total", "x-request-id", "set-cookie"];
  const lines = told.flatMap((name) => (headers[name] === undefined ? [] : [`${name}: ${headers[name]}`]));
  return [String(status), ...lines, ...text.split(/\n *|(?<=[[{}],?)(?=\{)/)];
}

describe("the switches in the sandbox's dialect", () => {
  it("make the sandbox respond differently for each of their values", async () => {
    const values = Object.entries(switches).flatMap(([name, choices]) =>
      choices.filter((value) => value !== choices[0]).map((value): Partial<Dialect> => ({ [name]: value })),
    );
    const seen = new Map<string, string>();
    const plain = await played({});
    for (const dialect of [...values, ...others]) {
      const base = together[Object.keys(dialect)[0] as keyof Dialect];
      const shown = JSON.stringify(await played({ ...base, ...dialect }));
      assert.notEqual(shown, JSON.stringify(base ? await played(base) : plain), JSON.stringify(dialect));
      assert.equal(seen.get(shown), undefined, `${JSON.stringify(dialect)} answers as another value`);
      seen.set(shown, JSON.stringify(dialect));
    }
  });

  it("have their first listed value in the plain dialect", () => {
    for (const [name, [first]] of Object.entries(switches)) assert.equal(dialects.plain[name as keyof Dialect], first);
  });
});
