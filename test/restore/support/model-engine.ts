import assert from "node:assert/strict";
import { type Intent, intentIdOf, makingProcessOf, type RestoreRequest } from "../../../provider/inputs/intent";
import { markOf } from "../../../provider/rows/mark";
import type { RestoreRecord } from "../../../provider/inputs/record";
import type { RestoreResult } from "../../../provider/restore/result";
import type { PanelSession } from "../../../provider/restore/panel-session";
import { attempt, resume, take } from "../../support/restore-programs";
import type { PanelAtWork, Post } from "./panel-at-work";
import { sessionOn } from "./process";
import { panelAddress, requestOf, timeouts } from "./rows";

const requestTimeoutMs = 10_000;
const listedMs = 60_000;

/** One declared restore and what the engine's state holds of it. */
interface Declared {
  readonly name: string;
  readonly machine: string;
  readonly point: string;
  readonly plan: RestoreRequest;
  intent?: Intent;
  record?: RestoreRecord;
  /** The first row that the list did not show when the intent's mark was taken: what is listed late may be older than the mark. */
  madeAbove: number;
  /** POSTs sent for the present intent. */
  posts: Post[];
  /** Transactions that were recorded as a try that failed: no later try of the intent may be taken for them. */
  spent: readonly string[];
  lastError?: string;
}

interface Process {
  readonly id: string;
  ended: boolean;
}

const silent = { progress: () => undefined, warn: () => undefined };

/** What the engine does with restores, over and over: intents and records are all that outlives a process. */
export class ModelEngine {
  readonly declared: readonly Declared[];
  #processes = 0;
  #intents = 0;

  constructor(
    private readonly panel: PanelAtWork,
    specs: readonly { readonly machine: string; readonly wait: boolean }[],
    private readonly maxConcurrent: number | undefined,
  ) {
    this.declared = specs.map(({ machine, wait }, index) => {
      const point = String(1001 + index);
      const target = { kind: "VmRestore", virtualMachineId: machine, recoveryPointId: point } as const;
      const name = `r${String(index)}`;
      const request = requestOf({
        name,
        target,
        wait,
        timeouts: { ...timeouts, listedMs, busyMs: 600_000, queueMs: 600_000, runMs: 600_000 },
      });
      return { name, machine, point, plan: request, madeAbove: 0, posts: [], spent: [] };
    });
    panel.onSent = (post) => {
      const of = this.declared.find(({ point }) => point === post.order.point);
      assert.ok(of);
      this.#judgePost(of);
      of.posts.push(post);
    };
  }

  newProcess(): Process {
    return { id: `p${String(this.#processes++)}`, ended: false };
  }

  /** One `pulumi up`. Restores of one machine in their order, machines side by side, as their dependencies make the engine do it. */
  async up(process: Process): Promise<void> {
    const session = this.#connect(process);
    const machines = new Set(this.declared.map(({ machine }) => machine));
    await Promise.all(
      [...machines].map(async (machine) => {
        for (const one of this.declared.filter((each) => each.machine === machine)) {
          if (!(await this.#bringUp(one, session, process)) || process.ended) return;
        }
      }),
    );
  }

  /** New triggers: another restore. */
  startAnew(one: Declared): void {
    delete one.intent;
    delete one.record;
    one.posts = [];
    one.spent = [];
  }

  /** `adopt: "<id>"` in the program, and an `up`. */
  async adopt(one: Declared, id: string): Promise<RestoreResult> {
    const process = this.newProcess();
    assert.ok(one.intent);
    const result = await take(this.#connect(process), one.plan, id, one.intent.id, silent);
    if (result.kind !== "not-posted") this.#store(one, result);
    return result;
  }

  #connect(process: Process): PanelSession {
    return sessionOn(this.panel, process, {
      requestTimeoutMs,
      isWatched: () => Promise.resolve(!process.ended),
      ...(this.maxConcurrent !== undefined && { maxConcurrent: this.maxConcurrent }),
    });
  }

  /** False: it failed, and what depends on it is not gone on with. */
  async #bringUp(one: Declared, session: PanelSession, process: Process): Promise<boolean> {
    if (one.record?.status === "complete") return true;
    if (one.record?.status === "cancelled") return false;
    // A failed one is replaced and its intent kept; until the new one is stored, the state holds the failed one.
    if (one.record && one.record.status !== "failed") {
      if (!one.plan.wait && one.record.status !== "unknown") return true;
      const result = await resume(session, one.plan, one.record, one.intent?.id ?? one.name, silent);
      return !process.ended && this.#store(one, result);
    }
    const intent = one.intent ?? (await this.#intend(one, session, process));
    if (process.ended || intent === undefined) return false;
    one.intent = intent;
    const which = makingProcessOf(intent.id) === process.id ? "first" : "later";
    const result = await attempt(session, { ...one.plan, intent }, which, silent);
    return !process.ended && this.#store(one, result);
  }

  async #intend(one: Declared, session: PanelSession, process: Process): Promise<Intent | undefined> {
    try {
      const newestPage = await session.feed.newestPage({ budgetMs: requestTimeoutMs });
      one.madeAbove =
        newestPage.rows.length === 0
          ? 0
          : Math.max(...newestPage.rows.map(({ id }) => this.panel.part(id)?.ordinal ?? 0)) + 1;
      const id = intentIdOf(process.id, ++this.#intents);
      return {
        id,
        urn: one.name,
        after: "none",
        mark: markOf(newestPage, panelAddress),
        madeFor: one.plan.target,
      };
    } catch (error) {
      one.lastError = String(error);
      return undefined;
    }
  }

  #store(one: Declared, result: RestoreResult): boolean {
    delete one.lastError;
    if (result.kind === "not-posted") {
      one.lastError = result.reason;
      return false;
    }
    if (one.record?.status === "failed") one.spent = [...one.spent, ...one.record.transactionIds];
    one.record = JSON.parse(JSON.stringify(result.record)) as RestoreRecord;
    if (result.kind === "stored") one.lastError = result.reasons.join("\n");
    this.#judgeRecord(one, one.record);
    return result.kind === "good";
  }

  /** Never two restores for one intent, unless the first is known to have gone wrong. */
  #judgePost(one: Declared): void {
    for (const { fate, work } of one.posts) {
      if (!fate.carriedOut) continue;
      const wentWrong = work?.status === "failed" || work?.status === "cancelled";
      assert.ok(wentWrong, `${one.name} was posted again, while its first one was ${work?.status ?? "on its way"}`);
    }
  }

  /** What is said to have ended has ended so, on this machine, and was asked for after the intent. */
  #judgeRecord(one: Declared, record: RestoreRecord): void {
    const { status } = record;
    const again = record.transactionIds.filter((id) => one.spent.includes(id));
    assert.deepEqual(again, [], `${one.name} took the transactions of a try that failed for the next one`);
    if (status !== "complete" && status !== "failed" && status !== "cancelled") return;
    const parts = record.transactionIds.map((id) => this.panel.part(id));
    const statuses = parts.map((part) => part?.status ?? "unheard of");
    const said = `${one.name} is said to be ${status}, but ${record.transactionIds.join()} are ${statuses.join()}`;
    assert.ok(parts.length > 0, said);
    if (status === "complete")
      assert.ok(
        statuses.every((each) => each === "complete"),
        said,
      );
    else assert.ok(statuses.includes(status), said);
    assert.ok(
      parts.some((part) => part?.isRestore),
      `${one.name} took what is no restore`,
    );
    for (const part of parts) {
      assert.ok(part?.work.machine === one.machine, `${one.name} took another machine's transaction`);
      assert.ok(part.ordinal >= one.madeAbove, `${one.name} took a transaction from before its intent`);
      const { point = one.point } = part.work;
      if (this.panel.manners.tells === "point")
        assert.ok(point === one.point, `${one.name} took a restore of another point`);
    }
  }
}
