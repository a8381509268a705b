import assert from "node:assert/strict";
import * as recovery from "pulumi-recovery";
import { inline } from "./support/inline";
import { planned, planTimeouts as timeouts, quick } from "./support/plans";
import type { Run } from "./support/run";
import { useScene } from "./support/scene";

/** A run's messages about a resource, except progress messages. */
function linesOf({ diagnostics }: Run, name: string): readonly string[] {
  return diagnostics.flatMap(({ urn, message, severity, ephemeral }) =>
    urn.endsWith(`::${name}`) && !ephemeral ? [`${severity}: ${message}`] : [],
  );
}

const machine = (virtualMachineId: number) => ({ virtualMachineId, recoveryPointId: 1007, timeouts });

describe("what a run on the real engine would overwrite", () => {
  const scene = useScene();

  it("is shown in the first preview, for new triggers and after a failure, including files, rules and unknown points", async () => {
    const panel = await scene.panel({ speed: 50 });
    let triggers: string[] = [];
    const program = inline(() => {
      const web = new recovery.VmRestore("web", { ...machine(42), triggers });
      new recovery.FileRestore("etc", { ...machine(42), paths: ["/etc/nginx/nginx.conf", "/var/www"] });
      const recoveryPoint = { before: "2099-01-01T00:00:00Z" };
      new recovery.VmRestore("db", { virtualMachineId: 43, recoveryPoint, timeouts });
      new recovery.VmRestore("mail", { ...machine(44), recoveryPointId: web.transactionId.apply(() => 1009) });
      new recovery.VmRestore("taken", { ...machine(45), adopt: "1" });
    });
    const stack = await scene.stack(program, { config: quick });
    const first = await stack.preview();
    const said = ["web", "etc", "db", "mail", "taken"].map((name) => linesOf(first, name).join("; "));
    assert.deepEqual(said, [
      "info: overwrites machine 42 from recovery point 1007",
      "info: overwrites /etc/nginx/nginx.conf, /var/www on machine 42 from recovery point 1007",
      "info: overwrites machine 43 from the newest recovery point before 2099-01-01T00:00:00Z",
      "info: overwrites machine 44 from recovery point (known only later)",
      'info: adopts transaction "1", named in adopt, and sends nothing',
    ]);
    const panels = first.diagnostics.flatMap(({ message }) => (message.includes(panel.url) ? [message] : []));
    assert.deepEqual(panels, [`restores are sent to the panel ${panel.url}`]);
    assert.match(
      first.stdout,
      /\n {2}pulumi-nodejs:recovery:VmRestore \(web\):\n {4}overwrites machine 42 from recovery point 1007\n/,
    );

    panel.failNext(42, "failed");
    const failed = await stack.upFails();
    assert.match(failed.stdout, /VmRestore \(web\):\n {4}overwrites machine 42 from recovery point 1007\n/);
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

  it("is shown for each wave, with at most twenty machines and a count of the rest, and --diff shows no internal properties", async () => {
    const panel = await scene.panel();
    const many = Array.from({ length: 30 }, (_, index) => [`vm${String(index)}`, machine(1_000 + index)] as const);
    const mail = { virtualMachineId: 56, recoveryPoint: "newest", paths: ["/var/www"], timeouts } as const;
    const stack = await planned(scene, {
      run: "Q1",
      waves: [
        { name: "data", restores: { db: machine(51), cache: machine(52) } },
        { name: "front", restores: { web: machine(55), mail } },
        { name: "rest", restores: Object.fromEntries(many) },
      ],
    });
    const preview = await stack.preview({ diff: true });
    assert.deepEqual(linesOf(preview, "shop-wave-data-intent"), [
      "info: overwrites 51 (1007), 52 (1007)\n  db: machine 51 from recovery point 1007\n  cache: machine 52 from recovery point 1007",
    ]);
    assert.match(
      linesOf(preview, "shop-wave-front-intent").join(),
      /^info: overwrites 55 \(1007\), 56 \(files, newest\)\n.*\n {2}mail: \/var\/www on machine 56 from the newest recovery point$/,
    );
    const rest = linesOf(preview, "shop-wave-rest-intent").join().split("\n");
    assert.equal(rest[0], "info: overwrites 1000 (1007), 1001 (1007), 1002 (1007), 1003 (1007) and 26 more");
    assert.deepEqual([rest.length, rest.at(-1)], [22, "and 10 more"]);
    assert.doesNotMatch(
      preview.stdout,
      /\b(?:__\w+|row|isPlanned|behind|earlier|ofRun|secrets|options|kind|intent|known|previous)\s*:(?! "drill")/,
    );
    assert.match(preview.stdout, /onFailure *: "stop"/);
    assert.equal(panel.requests().length, 0, "a preview sends no request to the panel");
  });
});
