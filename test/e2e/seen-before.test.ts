import assert from "node:assert/strict";
import * as recovery from "pulumi-recovery";
import { inline } from "./support/inline";
import { declarePlan, planned, planTimeouts as timeouts, quick } from "./support/plans";
import type { Run } from "./support/run";
import { useScene } from "./support/scene";

type Plan = recovery.RecoveryPlanArgs;

/** A run's messages about a resource, without progress. */
function linesOf({ diagnostics }: Run, name: string): readonly string[] {
  return diagnostics.flatMap(({ urn, message, severity, ephemeral }) =>
    urn.endsWith(`::${name}`) && !ephemeral ? [`${severity}: ${message}`] : [],
  );
}

const machine = (virtualMachineId: number, recoveryPointId = 1007) => ({ virtualMachineId, recoveryPointId, timeouts });

/** Two machines in each of three waves. */
const shop = (last: object, more: Partial<Plan> = {}): Plan => ({
  run: "Q1",
  waves: [
    { name: "data", restores: { db: machine(51), cache: machine(52) } },
    { name: "middle", restores: { api: machine(53), queue: machine(54) } },
    { name: "front", restores: { web: machine(55), mail: { ...machine(56), ...last } } },
  ],
  ...more,
});

const scenario = {
  machines: [51, 52, 53, 54, 55, 56].map((id) => ({ id, recoveryPoints: [1007, 1008] })),
};

describe("what a run on the real engine would overwrite", () => {
  const scene = useScene();

  it("is shown in the first preview, with new triggers and after a failure: a machine, files, a rule and unknown points", async () => {
    const panel = await scene.panel({ speed: 50 });
    let triggers: string[] = [];
    const program = inline(() => {
      const settings = { triggers, timeouts: { settle: 0, listed: "2s" } };
      const web = new recovery.VmRestore("web", { virtualMachineId: 42, recoveryPointId: 1007, ...settings });
      const files = { paths: ["/etc/nginx/nginx.conf", "/var/www"], ...settings };
      new recovery.FileRestore("etc", { virtualMachineId: 42, recoveryPointId: 1008, ...files });
      new recovery.VmRestore("db", {
        virtualMachineId: 43,
        recoveryPoint: { before: "2099-01-01T00:00:00Z" },
        ...settings,
      });
      new recovery.VmRestore("mail", {
        virtualMachineId: 44,
        recoveryPointId: web.transactionId.apply(() => 1009),
        ...settings,
      });
      new recovery.VmRestore("taken", { virtualMachineId: 45, recoveryPointId: 1, adopt: "1", ...settings });
    });
    const stack = await scene.stack(program, { config: quick });
    const first = await stack.preview();
    const said = ["web", "etc", "db", "mail", "taken"].map((name) => linesOf(first, name).join("; "));
    assert.deepEqual(said, [
      "info: overwrites machine 42 from recovery point 1007",
      "info: overwrites /etc/nginx/nginx.conf, /var/www of machine 42 from recovery point 1008",
      "info: overwrites machine 43 from the newest recovery point before 2099-01-01T00:00:00Z",
      "info: overwrites machine 44 from recovery point (known only later)",
      'info: adopts transaction "1", which adopt names, and sends nothing',
    ]);
    const panels = first.diagnostics.flatMap(({ message }) => (message.includes(panel.url) ? [message] : []));
    assert.deepEqual(panels, [`restores are sent to the panel ${panel.url}`]);
    assert.match(
      first.stdout,
      /\n {2}pulumi-nodejs:recovery:VmRestore \(web\):\n {4}overwrites machine 42 from recovery point 1007\n/,
    );

    panel.failNext(42, "failed");
    const failed = await stack.upFails();
    assert.deepEqual(linesOf(failed, "web")[0], "info: overwrites machine 42 from recovery point 1007");
    const again = await stack.preview();
    assert.match(
      linesOf(again, "web").join("\n"),
      /^warning: transaction \d+ failed: `pulumi up` overwrites machine 42 again from recovery point 1007, unless it finds a newer restore$/,
    );
    triggers = ["again"];
    const changed = await stack.preview();
    assert.deepEqual(linesOf(changed, "web"), [
      "info: overwrites machine 42 again from recovery point 1007: triggers changed",
    ]);
    assert.equal(panel.restores().length, panel.acceptedPosts());
  });

  it("is shown for each wave, with at most twenty machines and the number of others, and without internals under --diff", async () => {
    const panel = await scene.panel({ speed: 50, scenario });
    const rule = { virtualMachineId: 56, recoveryPointId: undefined, recoveryPoint: "newest", paths: ["/var/www"] };
    const many = Array.from({ length: 1_000 }, (_, index) => [`vm${String(index)}`, machine(1_000 + index)] as const);
    const plan = shop(rule);
    const all = { ...plan, waves: [...plan.waves, { name: "rest", restores: Object.fromEntries(many) }] };
    const stack = await planned(scene, all);
    const first = await stack.preview();
    assert.match(first.stdout, new RegExp(`Stack \\(e2e-test\\):\n    restores are sent to the panel ${panel.url}\n`));
    assert.deepEqual(linesOf(first, "shop-wave-data-intent"), [
      "info: overwrites 51 (1007), 52 (1007)\n  db: machine 51 from recovery point 1007\n  cache: machine 52 from recovery point 1007",
    ]);
    assert.match(
      linesOf(first, "shop-wave-front-intent").join(),
      /^info: overwrites 55 \(1007\), 56 \(files, newest\)\n.*\n {2}mail: \/var\/www of machine 56 from the newest recovery point$/,
    );
    const rest = linesOf(first, "shop-wave-rest-intent").join().split("\n");
    assert.equal(rest[0], "info: overwrites 1000 (1007), 1001 (1007), 1002 (1007), 1003 (1007) and 996 more");
    assert.deepEqual([rest.length, rest.at(-1)], [22, "and 980 more"]);

    await stack.configure(declarePlan(plan));
    const { stdout } = await stack.preview({ diff: true });
    assert.doesNotMatch(
      stdout,
      /\b(?:__\w+|row|isPlanned|behind|earlier|ofRun|secrets|options|kind|intent|known|previous)\s*:(?! "drill")/,
    );
    assert.match(stdout, /onFailure *: "stop"/);
    assert.equal(panel.requests().length, 0, "a preview sends no request to the panel");
  });

  it("is looked up before the first wave, so nothing is sent or stored if the third wave has an unknown point", async () => {
    const panel = await scene.panel({ speed: 50, scenario });
    const stack = await planned(scene, shop({ recoveryPointId: 9999 }));
    await stack.preview();
    const refused = await stack.upFails();
    assert.match(
      refused.stdout,
      /this `pulumi up` sent no restore of the plan: 1 of 6 restores cannot be carried out according to the panel's lists\. Correct them; if the panel is wrong, `lookUp: false` in the plan skips this look-up\.\n\s+waves\.front\.mail: recovery point 9999 of machine 56 is not listed: the panel lists 100[78], 100[78]\n\s+npx pulumi-recovery help plan/,
    );
    assert.equal(panel.acceptedPosts(), 0);
    assert.ok(panel.requests().every(({ method }) => method === "GET"));
    assert.deepEqual(
      (await stack.resources()).filter(({ type }) => type.endsWith(":PlanRun")),
      [],
    );

    // Without the look-up, the earlier machines are overwritten before the panel refuses the last one.
    await stack.configure(declarePlan(shop({ recoveryPointId: 9999 }, { lookUp: false })));
    const late = await stack.upFails();
    assert.match(late.stdout, /restore "mail" \(machine 56, recovery point 9999\) was refused by the panel/);
    assert.equal(panel.acceptedPosts(), 5);

    await stack.configure(declarePlan(shop({ recoveryPointId: 1008 })));
    const asked = panel.requests().length;
    const { outputs } = await stack.up();
    assert.match(String(outputs["verdict"]?.value), /^passed/);
    assert.equal(panel.acceptedPosts(), 6);
    const lookedUp = panel
      .requests()
      .slice(asked)
      .flatMap(({ path }) => /machines\/(\d+)\/logs/.exec(path)?.[1] ?? []);
    assert.deepEqual([...new Set(lookedUp)], ["56"], "a continued run looks up only what is new");
  });
});
