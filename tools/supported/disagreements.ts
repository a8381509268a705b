import { enginesOf, major, newestOf, type Supported } from "./versions";

/** The versions that the rest of the repository names and uses. */
export interface Claims {
  readonly today: string;
  /** `engines.node` and the peer dependency on the SDK in package.json. */
  readonly engines: string;
  readonly peer: string;
  /** Texts that name the needed versions, by their file. */
  readonly pages: Readonly<Record<string, string>>;
  /** The CLIs that can be built. */
  readonly oldestCli: string;
  readonly newestCli: string;
  /** Majors of Node.js that have a test file. */
  readonly testFiles: readonly number[];
}

/** The first SDK that needs Node.js 22. */
const leavesNode20 = "3.249.0";

/** Lists the places that disagree with supported.json, a line for each. */
export function disagreements(supported: Supported, claims: Claims): string[] {
  const { on, oldest, tested } = supported;
  const majors = tested.map(({ node }) => major(node));
  const engines = enginesOf(supported);
  const lines: string[] = [];
  const expect = (isWell: boolean, line: string): void => {
    if (!isWell) lines.push(line);
  };

  expect(/^\d{4}-\d{2}-\d{2}$/.test(on) && on <= claims.today, `${on} is no day on which somebody can have looked`);
  expect(
    claims.engines === `>=${oldest.node}`,
    `package.json asks for Node.js ${claims.engines}, not >=${oldest.node}`,
  );
  expect(
    claims.peer === `^${oldest.pulumi}.0`,
    `package.json asks for the SDK ${claims.peer}, not ^${oldest.pulumi}.0`,
  );
  for (const [name, text] of Object.entries(claims.pages)) {
    expect(text.includes(`${oldest.node} or newer`), `${name} does not say "${oldest.node} or newer" of Node.js`);
    expect(text.includes(`${oldest.pulumi} or newer`), `${name} does not say "${oldest.pulumi} or newer" of Pulumi`);
  }

  const wanted = Array.from(
    { length: (Math.max(...majors) - major(oldest.node)) / 2 + 1 },
    (_, index) => major(oldest.node) + 2 * index,
  );
  expect(
    String(majors) === String(wanted),
    `tried are the lines ${String(majors)} of Node.js, supported are ${String(wanted)}`,
  );
  expect(
    String(claims.testFiles) === String(majors),
    `there are test files for Node.js ${String(claims.testFiles)}, not for ${String(majors)}`,
  );

  const oldestEngine = `${oldest.pulumi}.0`;
  expect(
    claims.oldestCli === oldestEngine,
    `the oldest CLI that can be built is ${claims.oldestCli}, not ${oldestEngine}`,
  );
  const newestCli = newestOf(engines.map(({ cli }) => cli));
  expect(claims.newestCli === newestCli, `the newest CLI that can be built is ${claims.newestCli}, not ${newestCli}`);
  const newestSdk = newestOf(engines.map(({ sdk }) => sdk));
  for (const { node, engines: tried } of tested) {
    const has = (cli: string, fits: (sdk: string) => boolean): boolean =>
      tried.some((one) => one.cli === cli && fits(one.sdk));
    expect(
      has(oldestEngine, (sdk) => sdk === oldestEngine),
      `on Node.js ${node} the oldest engine is not tried`,
    );
    const isRight = (sdk: string): boolean =>
      newestSdk === sdk || (major(node) < 22 && newestOf([sdk, leavesNode20]) === leavesNode20 && sdk !== oldestEngine);
    expect(has(newestCli, isRight), `on Node.js ${node} the newest engine is not tried`);
  }
  return lines;
}
