import assert from "node:assert/strict";
import { poll } from "../../provider/restore/poll";
import type { Deadline, ProgressText, PollEvent, Poller } from "../../provider/restore/poller";
import { settle, VirtualClock } from "../support/virtual-clock";
import { FakeFeed, LogClient, sessionOn } from "./support/fake-feed";
import { serverError } from "./support/panel-errors";
import { requestOf, row } from "./support/rows";

const second = 1000;
const minute = 60 * second;

const begin = new VirtualClock().now();

interface Dispatched {
  readonly events: readonly string[];
  readonly over: boolean;
}

type Over = Dispatched & { readonly over: true };

/** A wait that writes down what it hears and is over at the word of `ends`. */
function scene(
  {
    describe = () => undefined,
    topic = () => "waiting",
    ...changes
  }: Partial<Poller<Dispatched, Over> & ProgressText<Dispatched>> = {},
  ends: (event: PollEvent) => boolean = (event) => event.type === "limit",
) {
  const clock = new VirtualClock();
  const feed = new FakeFeed(clock);
  const client = new LogClient();
  const session = sessionOn(clock, feed, client);
  const said: string[] = [];
  const poller: Poller<Dispatched, Over> = {
    step(state, event) {
      const what =
        event.type === "list-read"
          ? `tick ${event.rows.map(({ id }) => id).join()}`
          : event.type === "limit"
            ? `limit ${event.limit}`
            : event.type;
      return { events: [...state.events, what], over: ends(event) };
    },
    isOver: (state): state is Over => state.over,
    stopRule: () => ({}),
    wants: () => true,
    since: () => begin,
    deadline: () => undefined,
    needsMachineLog: () => [],
    ...changes,
  };
  const start: Dispatched = { events: [], over: false };
  const run = (beforeLeaving?: (state: Dispatched) => Promise<void>, totalUntil?: number) =>
    poll({ session, request: requestOf(), totalUntil }, poller, start, {
      progressText: { describe, topic, say: (text) => said.push(text) },
      ...(beforeLeaving && { beforeLeaving }),
    });
  return { clock, feed, client, site: session, said, run };
}

const limitAt = (at: number): { deadline: (state: Dispatched) => Deadline } => ({
  deadline: () => ({ at, limit: "run" }),
});

describe("the driver of a wait", () => {
  it("leaves no timer and no watch when it is over", async () => {
    const { clock, feed, run } = scene(
      { ...limitAt(begin + minute), describe: () => "waiting" },
      (event) => event.type === "list-read",
    );
    const over = run();
    await settle();
    assert.ok(clock.pending > 0);
    feed.tick([]);
    await over;
    assert.deepEqual([clock.pending, feed.watches.size], [0, 0]);
  });

  it("leaves none either when what runs before leaving throws", async () => {
    const { clock, feed, run } = scene({ describe: () => "waiting" }, (event) => event.type === "list-read");
    const over = run(() => Promise.reject(new Error("odd")));
    feed.tick([]);
    await assert.rejects(over, /odd/);
    assert.deepEqual([clock.pending, feed.watches.size], [0, 0]);
  });

  it("keeps the feed open until what runs before leaving is done", async () => {
    const { feed, run } = scene({}, (event) => event.type === "list-read");
    let watched = -1;
    const over = run(() => {
      watched = feed.watches.size;
      return Promise.resolve();
    });
    feed.tick([]);
    await over;
    assert.equal(watched, 1);
  });

  it("hears nothing more once it is over", async () => {
    const { feed, run } = scene({}, (event) => event.type === "list-read");
    const over = run();
    feed.tick([row(1)]);
    feed.tick([row(2)]);
    feed.fail(serverError());
    assert.deepEqual((await over).events, ["tick 1"]);
  });

  it("asks for a read at once", async () => {
    const { feed, run } = scene({}, (event) => event.type === "list-read");
    const over = run();
    assert.equal(feed.hurries, 1);
    feed.tick([]);
    await over;
  });
});

describe("a limit that passes", () => {
  it("asks for one more read, which decides", async () => {
    const { clock, feed, run } = scene(limitAt(begin + minute));
    const over = run();
    await clock.advance(minute);
    assert.equal(feed.hurries, 2);
    feed.tick([row(1)]);
    assert.deepEqual((await over).events, ["tick 1", "limit run"]);
    assert.equal(clock.pending, 0);
  });

  it("is forgotten when that read shows the end", async () => {
    const { clock, feed, run } = scene(
      limitAt(begin + minute),
      (event) => event.type === "list-read" && event.rows.length > 0,
    );
    const over = run();
    await clock.advance(minute);
    feed.tick([row(1)]);
    assert.deepEqual((await over).events, ["tick 1"]);
  });

  it("is not decided by a read that began before it passed", async () => {
    const { clock, feed, run } = scene(limitAt(begin + minute));
    const over = run();
    await clock.advance(minute);
    feed.tick([], { readAt: begin + minute - 1 });
    feed.tick([row(2)]);
    assert.deepEqual((await over).events, ["tick ", "tick 2", "limit run"]);
  });

  it("is decided by a read that fails", async () => {
    const { clock, feed, run } = scene(limitAt(begin + minute));
    const over = run();
    await clock.advance(minute);
    feed.fail(serverError());
    assert.deepEqual((await over).events, ["read-failed", "limit run"]);
  });

  it("is decided by a panel that does not answer within the time of a request", async () => {
    const { clock, run } = scene(limitAt(begin + minute));
    assert.deepEqual((await clock.run(run())).events, ["limit run"]);
    assert.equal(clock.now() - begin, minute + 30 * second);
  });

  it("is taken back when another phase begins in the last read", async () => {
    const { clock, feed, run } = scene({
      deadline: (state) =>
        state.events.length === 0 ? { at: begin + minute, limit: "queue" } : { at: begin + 5 * minute, limit: "run" },
    });
    const over = run();
    await clock.advance(minute);
    feed.tick([]);
    assert.deepEqual((await clock.run(over)).events, ["tick ", "limit run"]);
    assert.equal(clock.now() - begin, 5 * minute + 30 * second);
  });

  it("is the end of the whole run where that comes first", async () => {
    for (const [runEndsAt, told] of [
      [begin + minute - 1, "limit total"],
      [begin + minute, "limit run"],
    ] as const) {
      const { clock, run } = scene(limitAt(begin + minute));
      assert.deepEqual((await clock.run(run(undefined, runEndsAt))).events, [told]);
      assert.equal(clock.now(), runEndsAt + 30 * second);
    }
  });

  it("that had passed before the wait began leaves time for one read", async () => {
    const { clock, feed, run } = scene(
      limitAt(begin - minute),
      (event) => event.type === "list-read" && event.rows.length > 0,
    );
    const over = run();
    await clock.advance(second);
    feed.tick([row(1)]);
    assert.deepEqual((await over).events, ["tick 1"]);
  });
});

describe("what a wait says", () => {
  it("is a heartbeat that grows from half a minute to five minutes", async () => {
    const { clock, said, run } = scene({
      ...limitAt(begin + 40 * minute),
      describe: (_state, now) => String((now - begin) / second),
    });
    await clock.run(run());
    assert.deepEqual(said, ["0", "30", "90", "210", "450", "750", "1050", "1350", "1650", "1950", "2250"]);
  });

  it("is each change of state once, however often the list is read", async () => {
    const states: Readonly<Record<number, string>> = { 0: "queued", 3: "running" };
    let text = "queued";
    const { clock, feed, said, run } = scene(
      { describe: (_state, now) => `${text} ${String((now - begin) / second)}s`, topic: () => text },
      (event) => event.type === "limit",
    );
    void run();
    for (let tick = 0; tick < 6; tick++) {
      text = states[tick] ?? text;
      feed.tick([]);
      await clock.advance(2 * second);
    }
    assert.deepEqual(said, ["queued 0s", "running 6s"]);
  });

  it("begins its heartbeat anew with a change of state", async () => {
    let text = "queued";
    const { clock, feed, said, run } = scene({
      describe: (_state, now) => `${text} at ${String((now - begin) / second)}`,
      topic: () => text,
    });
    void run();
    await clock.advance(100 * second);
    text = "running";
    feed.tick([]);
    await clock.advance(31 * second);
    assert.deepEqual(said, ["queued at 0", "queued at 30", "queued at 90", "running at 100", "running at 130"]);
  });

  it("is one line for an outage, though each failed look is told in other words", async () => {
    const { clock, feed, said, run } = scene({
      describe: () => `waiting; ${trouble}`,
      topic: ({ events }) => events.at(-1) ?? "",
    });
    let trouble = "all is well";
    void run();
    for (let look = 1; look <= 60; look++) {
      trouble = `request ${String(look)}a${String(look)} failed`;
      feed.fail(serverError(), look);
      await clock.advance(10 * second);
    }
    // The first one, and the heartbeat of ten minutes.
    assert.equal(said.length, 2 + 4, said.join("\n"));
    trouble = "all is well";
    feed.tick([]);
    assert.equal(said.at(-1), "waiting; all is well");
  });

  it("is nothing when there is nothing to say", async () => {
    const { clock, said, run } = scene(limitAt(begin + 10 * minute));
    await clock.run(run());
    assert.deepEqual(said, []);
  });
});

describe("the machine's own log", () => {
  const directReads = { needsMachineLog: () => [row(1)] };

  it("tells the transactions that its items name", async () => {
    let told: readonly string[] = [];
    const { clock, feed, client, run } = scene(directReads, (event) => {
      if (event.type === "machine-log") told = event.transactionIds;
      return event.type === "machine-log";
    });
    client.answer = () =>
      Promise.resolve([
        { id: "1", targetType: "Transaction", targetId: "5001" },
        { id: "2", targetType: "Alert", targetId: "77" },
        { id: "3", targetType: "transaction", targetId: "5002" },
        { id: "4", targetType: "Transaction" },
      ]);
    await clock.run(run());
    assert.deepEqual(told, ["5001", "5002"]);
    assert.deepEqual([clock.pending, feed.watches.size], [0, 0]);
  });

  it("that cannot be read is asked again, and ends nothing", async () => {
    let failures = 2;
    const { clock, feed, client, run } = scene(directReads, (event) => event.type === "machine-log");
    client.answer = () => (failures-- > 0 ? Promise.reject(serverError()) : Promise.resolve([]));
    const over = run();
    for (let now = 0; now < 60; now++) {
      feed.tick([]);
      await clock.advance(second);
    }
    await over;
    assert.equal(client.reads, 3);
    assert.equal(clock.pending, 0);
  });

  it("that answers when the wait is over is heard by nobody and keeps no timer", async () => {
    let answer: (items: readonly object[]) => void = () => undefined;
    const { clock, feed, client, run } = scene(directReads, (event) => event.type === "list-read");
    client.answer = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const over = run();
    feed.tick([]);
    assert.deepEqual((await over).events, ["tick "]);
    answer([]);
    await settle();
    assert.equal(clock.pending, 0);
  });
});
