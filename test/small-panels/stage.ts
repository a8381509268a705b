import { Engine, Run } from "../support/engine";
import { calm, type Declared, nameOf, registrations } from "../support/program";
import { Process } from "../support/process";
import { VirtualClock } from "../support/virtual-clock";
import { TransportFailure, type Transport } from "../../provider/panel/transport";
import type { MakePanel, PanelAnswer, SmallPanel, World } from "./panel";
import { bodyOf } from "./serve";

export type Format = "json" | "xml";
type Posted = Parameters<World["posted"]>[0];

const vm = (machine: string): Declared => ({ ...calm, machine, point: "1007" });

/** A machine and files of it, and two machines beside. */
export const four: readonly Declared[] = [
  vm("42"),
  { ...vm("42"), kind: "FileRestore", paths: ["/etc/hosts"] },
  vm("43"),
  vm("44"),
];

/** What one `up` came to. */
export interface Up {
  /** By the place of the restore in the program. */
  readonly errors: ReadonlyMap<number, string>;
  readonly warnings: readonly string[];
}

interface Stage {
  readonly restoreSeconds?: number;
  /** Further settings, as `pulumi config set` has them. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly declared?: readonly Declared[];
}

/** A small panel in memory, and a stack of restores on it: all between the engine's calls and the panel's answers is the product's own. */
export class OnStage {
  readonly time = VirtualClock.ofLives();
  readonly panel: SmallPanel;
  readonly engine = new Engine();
  readonly failing = new Set<string>();
  /** The restores that the panel has accepted, oldest first. */
  readonly posted: Posted[] = [];
  declared: readonly Declared[];
  requests = 0;
  #processes = 0;
  #onPosted: () => void = () => undefined;

  constructor(
    make: MakePanel,
    private readonly format: Format,
    private readonly options: Stage = {},
  ) {
    const { time } = this;
    this.declared = options.declared ?? four;
    this.panel = make({
      now: () => time.now(),
      after: (ms, run) => void time.after(ms, run),
      pause: (ms) => time.pause(ms),
      restoreSeconds: options.restoreSeconds ?? 10,
      endOf: (machine) => (this.failing.has(machine) ? "failed" : "complete"),
      posted: (restore) => {
        this.posted.push(restore);
        this.#onPosted();
      },
    });
  }

  transportOf(process: { readonly ended: boolean }): Transport {
    return async ({ method, path, headers, body = "", signal }) => {
      await this.time.pause(50);
      if (process.ended) return never();
      this.requests++;
      const aborted = new Promise<never>((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          reject(new TransportFailure("ABORTED", true));
        });
      });
      aborted.catch(() => undefined);
      const answer = await Promise.race([this.panel.answer({ method, path, headers, body }), aborted]);
      return process.ended ? never() : asSent(answer, new Date(this.time.now()).toUTCString());
    };
  }

  /** With `killAfterMs`, the engine and its provider are killed so long after the first POST of this run, or the run ends before. */
  async up({ killAfterMs }: { readonly killAfterMs?: number } = {}): Promise<Up> {
    const { time } = this;
    const process = new Process(`process-${String(++this.#processes)}`, this, {
      settings: { ...this.options.settings, "recovery:format": this.format },
    });
    const run = new Run(process);
    const killed = new Promise<void>((resolve) => {
      this.#onPosted = () => {
        this.#onPosted = () => undefined;
        if (killAfterMs === undefined) return;
        time.after(killAfterMs, () => {
          run.killed = true;
          process.end();
          resolve();
        });
      };
    });
    await time.run(Promise.race([this.engine.up(run, registrations(this.declared)), killed]));
    process.end();
    return { errors: new Map(run.errors.map(({ restore, text }) => [restore, text])), warnings: process.warnings };
  }

  /** Others work on machines of theirs from now on. */
  othersWork(everyMs: number): void {
    const operations = ["start", "backup", "restore", "stop"];
    const next = (count: number): void => {
      this.panel.work(String(7300 + (count % 5)), operations[count % operations.length] ?? "start");
      this.time.after(everyMs, () => {
        next(count + 1);
      });
    };
    this.time.after(everyMs, () => {
      next(0);
    });
  }

  change(restore: number, change: (one: Declared) => Declared): void {
    this.declared = this.declared.map((one, index) => (index === restore ? change(one) : one));
  }

  /** The POSTs of a restore. */
  postsOf(restore: number): readonly Posted[] {
    const { machine, kind } = this.declared[restore] ?? calm;
    return this.posted.filter(
      (one) => one.machine === machine && (one.paths !== undefined) === (kind === "FileRestore"),
    );
  }

  outputsOf(restore: number): Readonly<Record<string, unknown>> {
    const isRecord = ({ operations }: { readonly operations: string }): boolean => operations !== "Intent";
    return this.engine.state.find((one) => one.restore === restore && !one.delete && isRecord(one))?.outputs ?? {};
  }

  statuses(): readonly unknown[] {
    return this.declared.map((_one, restore) => this.outputsOf(restore)["status"]);
  }

  /** What must never be: stored rows that are not the restore's own, and a second POST. */
  faults(postsOfEach = 1): readonly string[] {
    return this.declared.flatMap((_one, restore) => {
      const posts = this.postsOf(restore);
      const ids = (this.outputsOf(restore)["transactionIds"] ?? []) as readonly string[];
      const own = new Set(posts.flatMap((post) => post.ids.map(String)));
      const wrong = ids.filter((id) => !own.has(id));
      return [
        ...(posts.length > postsOfEach ? [`${nameOf(restore)} was posted ${String(posts.length)} times`] : []),
        ...(wrong.length > 0 ? [`${nameOf(restore)} has rows that are not its own: ${wrong.join(" ")}`] : []),
      ];
    });
  }

  /** Goes on until all is complete: runs, and what their questions say to do. Returns how many questions there were, or why it does not go on. */
  async finish(): Promise<number | string> {
    let questions = 0;
    for (let round = 0; round < 8; round++) {
      const { errors } = await this.up();
      if (errors.size === 0) return questions;
      for (const [restore, text] of errors) {
        const ids = this.postsOf(restore).flatMap((post) => post.ids.map(String));
        const isNamed = (id: string): boolean => text.includes(`adopt: "${id}"`) || text.includes(`transaction ${id} `);
        const named = text.includes("adopt: ") ? ids.find(isNamed) : undefined;
        questions++;
        if (named !== undefined) this.change(restore, (one) => ({ ...one, adopt: named }));
        else if (ids.length > 0) return `${nameOf(restore)} does not name ${ids.join(" ")}: ${text}`;
        else if (text.includes("triggers")) this.change(restore, (one) => ({ ...one, generation: one.generation + 1 }));
      }
    }
    return `no end: ${JSON.stringify(this.statuses())}`;
  }
}

/** Every server of HTTP says what time it is. */
function asSent(answer: PanelAnswer, date: string) {
  const headers = { "content-type": "application/json", date, ...lowered(answer.headers) };
  return { status: answer.status, headers, body: bodyOf(answer) };
}

function lowered(headers: PanelAnswer["headers"] = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** What a process waits for that has ended. */
function never(): Promise<never> {
  return new Promise(() => undefined);
}
