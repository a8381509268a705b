import assert from "node:assert/strict";
import { counts, storedLength } from "../support/golden";
import { calm, type Declared, nameOf } from "../support/program";
import type { Connection } from "../support/process";
import { type RunEnd, Stack } from "../support/stack";
import { VirtualClock } from "../support/virtual-clock";
import type { Transport, TransportResponse } from "../../provider/start";
import type { Format, MakePanel, PanelAnswer, PanelRequest, SmallPanel, World } from "./panel";
import { bodyOf } from "./serve";

type Posted = Parameters<World["posted"]>[0];

export const web: Declared = { ...calm, point: "1007" };
export const files: Declared = { ...web, kind: "FileRestore", paths: ["/etc/hosts"] };

/** Restores of a machine, of files on that machine, and of two other machines. */
const four: readonly Declared[] = [web, files, { ...web, machine: "43" }, { ...web, machine: "44" }];

const othersMachines: readonly string[] = ["7300", "7301", "7302", "7303", "7304"];

export interface Stage {
  readonly restoreSeconds?: number;
  /** More settings, with keys and values as in `pulumi config set`. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly declared?: readonly Declared[];
  /** Receives the lines of `RECOVERY_TRACE`. */
  readonly trace?: (line: string) => void;
}

/** A small in-memory panel and a stack of restores on that panel. */
export class OnStage extends Stack {
  readonly time: VirtualClock;
  readonly panel: SmallPanel;
  readonly failing = new Set<string>();
  /** The restores that the panel has accepted, oldest first. */
  readonly posted: Posted[] = [];
  readonly postedAt: number[] = [];
  requests = 0;
  /** How often each request was made, whatever its machine, recovery point and page. */
  readonly #counted = new Map<string, number>();
  onPosted: (restore: Posted) => void = () => undefined;

  constructor(
    make: MakePanel,
    format: Format,
    { restoreSeconds = 10, settings = {}, declared = four, trace }: Stage = {},
  ) {
    const time = VirtualClock.ofLives();
    const connection: Connection = { settings: { ...settings, "recovery:format": format }, trace };
    super({ time, transportOf: (process) => this.#transportOf(process) }, declared, connection);
    this.time = time;
    counts.push(() => {
      const requests = [...this.#counted].map(([request, count]) => `${String(count)} ${request}`);
      const statuses = this.statuses().map((status) => (typeof status === "string" ? status : "not stored"));
      const end = `at ${new Date(time.now()).toISOString()}, ${storedLength(this.engine.state)}`;
      return [...requests, ...statuses, end].join(", ");
    });
    this.panel = make({
      now: () => time.now(),
      after: (ms, run) => void time.after(ms, run),
      pause: (ms) => time.pause(ms),
      restoreSeconds,
      endOf: (machine) => (this.failing.has(machine) ? "failed" : "complete"),
      posted: (restore) => {
        this.posted.push(restore);
        this.postedAt.push(time.now());
        this.onPosted(restore);
      },
    });
  }

  #transportOf(process: { readonly ended: boolean }): Transport {
    return transportOn(this.time, process, async (request) => {
      await this.time.pause(50);
      if (process.ended) return never();
      this.requests++;
      const path = request.path.replace(/^.*\/(?=\w+\.(json|xml))/, "").replace(/(?<=\/page\/)\d+/, "n");
      const what = request.method === "POST" ? `POST ${path}` : path;
      this.#counted.set(what, (this.#counted.get(what) ?? 0) + 1);
      return asSent(await this.panel.answer(request), new Date(this.time.now()));
    });
  }

  /** A run whose engine and provider are killed this long after its first (or nth) POST, unless the run ends earlier. */
  killed(afterMs: number, posts = 1): Promise<RunEnd> {
    const last = this.posted.length + posts;
    const kill = new Promise<void>((resolve) => {
      this.onPosted = () => {
        if (this.posted.length < last) return;
        this.onPosted = () => undefined;
        this.time.after(afterMs, resolve);
      };
    });
    return this.up({ kill });
  }

  /** A run in which machine 42's restores fail. They succeed in later runs. */
  async upFailing(): Promise<RunEnd> {
    this.failing.add("42");
    const end = await this.up();
    this.failing.clear();
    return end;
  }

  get gaps(): readonly number[] {
    return this.postedAt.slice(1).map((at, index) => (at - this.postedAt[index]!) / 1_000);
  }

  async said(): Promise<string> {
    return (await this.up()).errors.get(0) ?? "no error";
  }

  /** Asserts that a run sends nothing, and that the first restore's error matches. */
  async asks(question: RegExp): Promise<void> {
    const posts = this.posted.length;
    assert.match(await this.said(), question);
    assert.equal(this.posted.length, posts, "nothing is sent");
  }

  /** Some time later, somebody works on machine 42, and finishes within two minutes. */
  async workLater(ms: number, operation = "restore"): Promise<void> {
    await this.time.advance(ms);
    this.panel.work("42", operation);
    await this.time.advance(120_000);
  }

  /** Asserts that a run has no errors and leaves every restore complete, with this many POSTs in all. */
  async completes(posts: number): Promise<RunEnd> {
    const end = await this.up();
    const others = this.statuses().filter((status) => status !== "complete");
    assert.deepEqual([end.errors, others, this.posted.length], [new Map(), [], posts]);
    return end;
  }

  /** From now on, others work, by default on their own machines. */
  othersWork(everyMs: number, operations = ["start", "backup", "restore", "stop"], machines = othersMachines): void {
    const next = (count: number): void => {
      this.panel.work(machines[count % machines.length]!, operations[count % operations.length]!);
      this.time.after(everyMs, () => next(count + 1));
    };
    this.time.after(everyMs, () => next(0));
  }

  postsOf(restore: number): readonly Posted[] {
    const { machine, kind } = this.declared[restore] ?? calm;
    const isOwn = ({ paths }: Posted): boolean => (paths !== undefined) === (kind === "FileRestore");
    return this.posted.filter((one) => one.machine === machine && isOwn(one));
  }

  /** What must never happen: a stored row that is not the restore's own, or a second POST. */
  faults(postsOfEach = 1): readonly string[] {
    return this.declared.flatMap((_one, restore) => {
      const posts = this.postsOf(restore);
      const own = new Set(posts.flatMap((post) => post.ids.map(String)));
      const ids = this.idsOf(restore);
      const wrong = ids.filter((id) => !own.has(id));
      // If rows are indistinguishable, a restore may claim other people's rows, provided that a warning says so.
      const warnings = (this.outputsOf(restore)["warnings"] ?? []) as readonly string[];
      const isUntold = wrong.length > 0 && (wrong.length === ids.length || warnings.length === 0);
      return [
        ...(posts.length > postsOfEach ? [`${nameOf(restore)} was posted ${String(posts.length)} times`] : []),
        ...(isUntold ? [`${nameOf(restore)} has rows that are not its own: ${wrong.join(" ")}`] : []),
      ];
    });
  }

  /** Runs `up` and follows the advice in its questions until every restore is complete, without faults. Returns the number of questions. */
  async finish(): Promise<number> {
    let questions = 0;
    for (let round = 0; round < 8; round++) {
      const { errors } = await this.up();
      if (errors.size === 0) {
        assert.deepEqual(this.faults(), []);
        return questions;
      }
      for (const [restore, text] of errors) {
        const ids = this.postsOf(restore).flatMap((post) => post.ids.map(String));
        const isNamed = (id: string): boolean => text.includes(`adopt: "${id}"`) || text.includes(`transaction ${id} `);
        const named = text.includes("adopt: ") ? ids.find(isNamed) : undefined;
        questions++;
        if (named !== undefined) this.change(restore, { adopt: named });
        else if (ids.length > 0) assert.fail(`${nameOf(restore)} does not name ${ids.join(" ")}: ${text}`);
        else if (text.includes("triggers")) this.newTriggers(restore);
      }
    }
    assert.fail(`not complete after eight runs: ${JSON.stringify(this.statuses())}`);
  }
}

/** Connects a process to an in-memory panel. Answers wait until the process is awake, and a process that has ended receives none. */
export function transportOn(
  time: VirtualClock,
  process: { readonly ended: boolean },
  answer: (request: PanelRequest) => Promise<TransportResponse>,
): Transport {
  return async ({ method, path, headers, body = "", signal }) => {
    if (process.ended) return never();
    const aborted = new Promise<never>((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(failureOf("ABORTED")));
    });
    const answered = Promise.race([answer({ method, path, headers, body }), aborted]);
    await answered.catch(() => undefined);
    await time.whenAwake(process);
    return process.ended ? never() : answered;
  };
}

/** The answer with a `Date` header, which almost all HTTP servers send. */
export function asSent(answer: PanelAnswer, time: Date | undefined): TransportResponse {
  const usual = { "content-type": "application/json", ...(time && { date: time.toUTCString() }) };
  const own = Object.entries(answer.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const);
  return { status: answer.status, headers: { ...usual, ...Object.fromEntries(own) }, body: bodyOf(answer) };
}

/** The error when a request reaches the panel but no answer arrives. */
export function failureOf(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** A promise that never settles, for anything that a process would still be waiting for after it has ended. */
export function never(): Promise<never> {
  return new Promise(() => undefined);
}
