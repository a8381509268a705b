import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import * as recovery from "pulumi-recovery";
import { commands } from "../../cli/commands";
import { run } from "../../cli/run";
import { pathWithPulumi } from "../../tools/engine/command-line";
import { engineEnvironment } from "../../tools/engine/environment";
import { blocksOf, inBash } from "../cli/support/runbook-page";
import { listening } from "../support/listening";
import { inline } from "./support/inline";
import { planTimeouts as timeouts } from "./support/plans";
import { useScene, type Sandbox } from "./support/scene";

const token = "hunter2-of-the-check";

/** By their names the files would come before their machine. */
function program(address: string): Record<string, unknown> {
  const shop = new recovery.RecoveryPlan("shop", {
    run: "2026-Q4",
    waves: [
      {
        name: "data",
        restores: {
          db: {
            virtualMachineId: 43,
            recoveryPoint: "newest",
            timeouts,
            checks: [{ http: address, headers: { authorization: pulumi.secret(token) }, contains: "open" }],
          },
        },
      },
      {
        name: "front",
        restores: {
          web: { virtualMachineId: 42, recoveryPointId: 1007, timeouts },
          content: { virtualMachineId: 42, recoveryPointId: 1009, paths: ["/var/www", "/srv/it's $HOME"], timeouts },
        },
      },
    ],
    notes: { owner: "Platform team" },
  });
  new recovery.VmRestore("boxes", { virtualMachineId: 44, recoveryPointId: 1008, timeouts }, { dependsOn: shop });
  return {};
}

const madeOn = (panel: Sandbox): readonly unknown[] =>
  panel.restores().map(({ machineId, recoveryPointId, paths, status }) => [machineId, recoveryPointId, paths, status]);

describe("the runbook of a stack on the real engine", () => {
  const scene = useScene();

  before(function () {
    if (["curl", "bash"].every((name) => spawnSync(name, ["--version"]).status === 0)) return;
    process.stderr.write("there is no curl or no bash here, so the lines are not run\n");
    this.skip();
  });

  it("has lines that restore by hand what the program restored, once each and in its order", async () => {
    const panel = await scene.panel({ speed: 200 });
    const service = createServer((_, response) => response.end("the shop is open"));
    const address = `http://127.0.0.1:${String(await listening(service))}/health`;
    try {
      const stack = await scene.stack(inline(() => program(address)));
      await stack.up();
      const byProgram = madeOn(panel);
      assert.equal(byProgram.length, 4);
      const page = await runbookOf(`organization/${stack.place.project}/${stack.place.stack}`);
      assert.doesNotMatch(page, new RegExp(token));
      assert.match(page, /The state shows no restore that was sent and has not ended/);

      const { before, steps } = blocksOf(page);
      const [connection = "", , machine = "", files = ""] = before;
      assert.equal(steps.length, 4);
      for (const [index, step] of steps.entries()) {
        const chosen = /the last run chose `(\d+)`/.exec(page)?.[1] ?? "";
        const request = step.join("").includes("PATHS=") ? files : machine;
        const script = `set -e\n${[connection, ...step, request].join("")}`;
        const { status, err, out } = await inBash(script, [
          panel.username,
          panel.password,
          ...(index === 0 ? [chosen] : []),
        ]);
        assert.deepEqual([status, err], [0, ""], out);
        const isAtWork = (): boolean => panel.restores().some(({ endedAt }) => endedAt === undefined);
        for (let tries = 0; isAtWork() && tries < 500; tries++) await pause(20);
      }
      assert.deepEqual(madeOn(panel).slice(byProgram.length), byProgram);
    } finally {
      service.closeAllConnections();
      service.close();
    }
  });

  /** As the command itself reads it: by `pulumi stack export`. */
  async function runbookOf(stack: string): Promise<string> {
    const said: string[] = [];
    const say = (line: string): void => void said.push(line);
    const environment = { ...process.env, ...engineEnvironment(scene.folder), PATH: pathWithPulumi(scene.folder) };
    const io = { say, warn: say, environment, stdin: () => Promise.resolve("") };
    const out = join(scene.folder, "out");
    assert.equal(await run(["runbook", "--stack", stack, "--out", out], io, commands), 0, said.join("\n"));
    return readFileSync(join(out, "runbook.md"), "utf8");
  }
});
