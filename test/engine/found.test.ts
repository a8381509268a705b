import assert from "node:assert/strict";
import { type Fate, goodFate, type Manners, PanelAtWork, plainManners } from "../support/panel-at-work";
import { calm, type Declared } from "../support/program";
import { Stack } from "../support/stack";
import { VirtualClock } from "../support/virtual-clock";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

const web = calm;
const etc: Declared = { ...calm, kind: "FileRestore", paths: ["/etc/hosts"] };

interface Scene extends Partial<Manners> {
  readonly declared?: readonly Declared[];
  readonly fates?: readonly Partial<Fate>[];
  readonly settings?: Readonly<Record<string, string>>;
}

function scene({ declared = [web], fates = [], settings = {}, ...manners }: Scene = {}) {
  const time = VirtualClock.ofLives();
  const panel = new PanelAtWork(time, { ...plainManners, ...manners });
  panel.order({ machine: "41", kind: "backup" }, "panel");
  panel.fates = fates.map((fate) => ({ ...goodFate, ...fate }));
  const stack = new Stack(panel, declared, { settings });
  const person = (order: Partial<Declared> = {}, runsForMs = 20 * second) =>
    panel.order({ machine: "42", kind: "VmRestore", point: "1001", ...order }, "person", "complete", runsForMs);
  const killed = (afterMs: number) => stack.up({ kill: time.pause(afterMs) });
  const posts = (): number => panel.posts.length;
  return { time, panel, stack, person, killed, posts };
}

/** Each was a fault of an earlier core. */
describe("a run that was held up", () => {
  const held: readonly (readonly [how: string, forMs: number, suspend: "stopped" | "asleep"])[] = [
    ["stopped for two minutes", 2 * minute, "stopped"],
    ["asleep for eight hours", 8 * hour, "asleep"],
  ];
  for (const [how, forMs, suspend] of held)
    it(`posts nothing, and the next up does: ${how}`, async () => {
      const { time, panel, stack, posts } = scene();
      panel.order({ machine: "42", kind: "backup" }, "panel", "complete", 30 * second);
      const { errors } = await stack.up({
        during: (process) => {
          time.after(10 * second, () => {
            time.suspend(process, forMs, suspend);
          });
        },
      });
      assert.equal(posts(), 0);
      assert.match(errors.get(0) ?? "", /not sent.*held up/s);
      assert.equal((await stack.up()).errors.size, 0);
      assert.equal(posts(), 1);
    });

  it("posts nothing, and the next up does: the wall clock alone is eight hours on", async () => {
    const { time, panel, stack, posts } = scene();
    panel.order({ machine: "42", kind: "backup" }, "panel", "complete", 30 * second);
    time.after(10 * second, () => {
      time.setWall(8 * hour);
    });
    await stack.up();
    assert.equal(posts(), 0);
    assert.equal((await stack.up()).errors.size, 0);
  });
});

describe("a restore of the other kind", () => {
  it("is not taken after a refusal", async () => {
    const { panel, stack, person } = scene({ fates: [{ answer: "refused", carriedOut: false }] });
    await stack.up();
    person({ kind: "FileRestore", paths: ["/etc/hosts"] });
    await panel.time.run(panel.time.pause(30 * second));
    const { errors } = await stack.up();
    assert.match(errors.get(0) ?? "", /nothing was sent[^]*restore_file_entries/);
    assert.deepEqual(stack.idsOf(0), []);
  });
});

describe("rows that name no machine", () => {});

describe("a later attempt", () => {
  it("has a quiet time however short listed is: rows twenty seconds late are no second POST", async () => {
    const { stack, killed, posts } = scene({ declared: [{ ...web, timeouts: { listed: 5 } }], lateMs: [20 * second] });
    await killed(3 * second);
    assert.equal((await stack.up()).errors.size, 0);
    assert.equal(posts(), 1);
    assert.equal(stack.outputsOf(0)["adopted"], true);
  });
});

describe("the question of a first attempt", () => {});

describe("--replace of the restore alone", () => {
  for (const wait of [true, false])
    it(`restores nothing and says so, wait: ${String(wait)}; the next up forgets it`, async () => {
      const { stack, posts } = scene({ declared: [{ ...web, wait }] });
      await stack.up();
      const { errors } = await stack.up({ tainted: [0] });
      assert.match(errors.get(0) ?? "", /nothing was restored/);
      assert.equal((await stack.up()).errors.size, 0);
      assert.equal(posts(), 1);
    });
});

describe("the order of one machine's restores", () => {
  const program = [web, etc, { ...etc, point: "1002" }];
  const sent = ({ panel }: ReturnType<typeof scene>): readonly string[] =>
    panel.posts.map(({ order: { kind, point = "" } }) => `${kind} ${point}`);

  it("is the program's, and new triggers of the machine restore all behind it, of files nothing else", async () => {
    const its = scene({ declared: program });
    await its.stack.up();
    assert.deepEqual(sent(its), ["VmRestore 1001", "FileRestore 1001", "FileRestore 1002"]);
    its.stack.newTriggers(1);
    await its.stack.up();
    assert.deepEqual(sent(its).slice(3), ["FileRestore 1001"]);
    its.stack.newTriggers(0);
    await its.stack.up();
    assert.deepEqual(sent(its).slice(4), ["VmRestore 1001", "FileRestore 1001", "FileRestore 1002"]);
  });

  it("restores nothing where the first restore leaves the machine", async () => {
    const its = scene({ declared: [web, { ...web, point: "1002" }, etc] });
    await its.stack.up();
    its.stack.change(0, { machine: "43" });
    await its.stack.up();
    assert.deepEqual(
      its.panel.posts.slice(3).map(({ order: { machine } }) => machine),
      ["43"],
    );
  });

  it("sends nothing behind a restore that is not complete, also with --target", async () => {
    const { stack, posts } = scene({ declared: [web, etc], fates: [{ outcome: "failed" }] });
    await stack.up();
    assert.equal(stack.stored(1), undefined);
    const { errors } = await stack.up({ target: [1] });
    assert.match([...errors.values()].join(), /r0.*failed/s);
    assert.equal(posts(), 1);
  });
});

describe("a restore that was sent and never listed", () => {
  it("is an error in every run, is never sent again, and names both ways on", async () => {
    const { stack, posts } = scene({ fates: [{ carriedOut: false }] });
    for (let run = 0; run < 3; run++) {
      const { errors } = await stack.up();
      assert.match(errors.get(0) ?? "", /adopt: "[^]*triggers|triggers[^]*adopt: "/);
      assert.equal(stack.outputsOf(0)["status"], "sent");
    }
    assert.equal(posts(), 1);
    stack.newTriggers(0);
    assert.equal((await stack.up()).errors.size, 0);
    assert.equal(posts(), 2);
  });
});

describe("another panel with the same ids", () => {
  it("is restored on by itself: what is known is of one panel", async () => {
    const first = scene();
    await first.stack.up();
    const second = scene({ settings: { "recovery:endpoint": "https://other.example" } });
    second.stack.engine.state = first.stack.engine.state;
    second.stack.newTriggers(0);
    const { errors } = await second.stack.up();
    assert.deepEqual([...errors.values()], []);
    assert.deepEqual(second.stack.statuses(), ["complete"]);
    assert.equal(second.posts(), 1);
  });
});

describe("an intent that was made on another panel", () => {
  it("lets nothing be sent, and names both panels", async () => {
    const first = scene();
    first.panel.order({ machine: "42", kind: "backup" }, "panel", "complete", 30 * second);
    await first.killed(10 * second);
    assert.equal(first.posts(), 0);
    const other = scene({ settings: { "recovery:endpoint": "https://other.example" } });
    other.stack.engine.state = first.stack.engine.state;
    const { errors } = await other.stack.up();
    assert.match(
      errors.get(0) ?? "",
      /was not sent: its intent was made on the panel .*, and the configured panel is https:\/\/other/,
    );
    assert.equal(other.posts(), 0);
  });
});

describe("a run that saves nothing before its end", () => {
  it("sends nothing while PULUMI_SKIP_CHECKPOINTS is in force", async () => {
    const { stack, posts } = scene();
    const switches = { PULUMI_SKIP_CHECKPOINTS: "true", PULUMI_EXPERIMENTAL: "1" };
    const before = Object.keys(switches).map((name) => [name, process.env[name]] as const);
    Object.assign(process.env, switches);
    try {
      const { errors } = await stack.up();
      assert.match([...errors.values()].join(), /was not sent: PULUMI_SKIP_CHECKPOINTS is in force/);
      assert.equal(posts(), 0);
    } finally {
      for (const [name, value] of before) {
        if (value === undefined) Reflect.deleteProperty(process.env, name);
        else process.env[name] = value;
      }
    }
    assert.equal((await stack.up()).errors.size, 0);
    assert.equal(posts(), 1);
  });
});
