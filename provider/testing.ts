import * as pulumi from "@pulumi/pulumi";
import { didYouMean } from "./inputs/problems";
import { resourceNames, resourceTypes } from "./inputs/resource-names";
import { mockedResource, MockedRun } from "./mocked-run";
import { zonedTime } from "./plain/clock";
import type { Properties } from "./plain/plain";
import { listFor, mockedPanelKey, type MockLists, type MockRow, panelWith } from "./program/mocked-panel";
import type { LogItem, RecoveryPoint, Transaction } from "./program/rows";

export type { MockLists, MockRow } from "./program/mocked-panel";

/** The outcomes of restores, and the lists of the panel, for {@link mocks}. */
export interface MockOptions {
  /**
   * The restores that fail, by resource name or by name in the plan.
   *
   * @default none: every restore completes
   */
  readonly failed?: readonly string[];
  /**
   * The time of the first request, and the panel's clock: a `Date`, or ISO 8601 with a time zone.
   *
   * @default when `mocks()` is called
   */
  readonly now?: Date | string;
  /**
   * The panel's transactions, newest first, returned by `getTransactions`.
   *
   * Only `id` is required.
   *
   * @default none
   */
  readonly transactions?: readonly MockRow<Transaction>[];
  /**
   * The machines' log entries, newest first, returned by `getVmLogs`.
   *
   * One list for all machines, or one per machine id.
   *
   * @default none
   */
  readonly items?: MockLists<LogItem>;
  /**
   * The machines' recovery points, used by `getRecoveryPoints` and by every restore with a rule.
   *
   * One list for all machines, or one per machine id.
   *
   * @default none: the point that a rule chooses is unknown
   */
  readonly points?: MockLists<Omit<RecoveryPoint, "usable">>;
}

/**
 * Mocks for `pulumi.runtime.setMocks`, to test a program without an engine or a panel.
 *
 * Each restore takes a minute and completes, unless it is in `failed`. Restores that would wait for a failed restore are not sent. A failure throws no error: a
 * restore that is not sent has the status `not sent`, and its `warnings` say why. Checks pass without being carried out.
 *
 * The package's functions return the lists given here. Resources from other packages return their inputs as outputs.
 *
 * An unknown option throws. If a name in `failed` matches no restore, the process exits with an error.
 *
 * ```ts
 * await pulumi.runtime.setMocks(mocks({ failed: ["db"] }));
 * ```
 */
export function mocks(options: MockOptions = {}): pulumi.runtime.Mocks {
  refuseUnknown(options);
  const { failed = [], transactions = [], items = [], points } = options;
  const now = timeOf(options.now ?? new Date());
  const panel = panelWith({ transactions, items, points: points ?? [], now });
  const run = new MockedRun(failed, now, panel, (machine) => listFor(points, machine) !== undefined);
  if (failed.length > 0) failForUnseen(run);
  const answers: pulumi.runtime.Mocks & { readonly [mockedPanelKey]: unknown } = {
    [mockedPanelKey]: panel,
    newResource: async ({ type, name, inputs, provider }) => {
      const resource = resourceNames.find((one) => resourceTypes[one] === type);
      const given = inputs as Properties;
      const id = resource === "Intent" ? run.newIntentId() : `${name}_id`;
      if (type === providerType) run.providers.set(name, withoutSecrets(given));
      const mocked = resource && mockedResource(resource);
      if (mocked === undefined) return { id, state: { ...given } };
      const outputs = await mocked({ name, inputs: withoutSecrets(given), provider }, run);
      return { id, state: withSecretsOf(given, outputs) };
    },
    call: ({ inputs }) => inputs as Record<string, unknown>,
  };
  return answers;
}

/** All options. A new option does not compile until it is listed here. */
const optionNames = Object.keys({
  failed: true,
  now: true,
  transactions: true,
  items: true,
  points: true,
} satisfies Record<keyof MockOptions, true>);

function refuseUnknown(options: MockOptions): void {
  const unknown = Object.keys(options).find((name) => !optionNames.includes(name));
  if (unknown === undefined) return;
  throw new TypeError(`mocks: there is no option ${unknown}${didYouMean(unknown, optionNames, "options")}`);
}

const withFailed: MockedRun[] = [];

/** Checks only at the end of the process, because a program may construct restores until then. */
function failForUnseen(run: MockedRun): void {
  if (withFailed.push(run) > 1) return;
  process.once("beforeExit", () => {
    const unseen = [...new Set(withFailed.flatMap((one) => one.unseen))];
    if (unseen.length === 0) return;
    process.stderr.write(`mocks: no restore is named ${unseen.map((name) => `"${name}"`).join(", ")} (see failed).\n`);
    // A test runner sets the exit code in its own listener, which was registered first.
    process.on("exit", () => {
      process.exitCode = 1;
    });
  });
}

/** The type of this package's explicit providers. */
const providerType = "pulumi:providers:pulumi-nodejs";

/** Removes the envelope in which the SDK passes a secret. A provider never sees the envelope, and the engine adds it again to the output of the same name. */
function withoutSecrets(inputs: Properties): Properties {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [name, pulumi.runtime.unwrapRpcSecret(value) as unknown]),
  );
}

function withSecretsOf(inputs: Properties, outputs: Properties): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(outputs).map(([name, value]) => {
      const given = inputs[name];
      return [name, pulumi.runtime.isRpcSecret(given) ? { ...(given as object), value } : value];
    }),
  );
}

function timeOf(given: Date | string): number {
  const at = typeof given === "string" ? zonedTime(given) : given.getTime();
  if (at === undefined || Number.isNaN(at)) {
    throw new TypeError(
      `mocks: now must be a time with a time zone, like "2026-11-20T09:30:00Z", but is ${String(given)}`,
    );
  }
  return at;
}
