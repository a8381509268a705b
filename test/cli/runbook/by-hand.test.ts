import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startSandbox } from "../../../sandbox";
import { runbookCase } from "../support/runbook-cases";
import { listening } from "../../support/listening";
import { intentResource, restoreResource, type Played } from "../../report/support/restores";
import { exportedStack } from "../../report/support/stack";
import { blocksOf, htmlBlocksOf, inBash, pagesOf } from "../support/runbook-page";

const machine42: Played = { name: "a", machine: 42, point: 1007, requested: 0, ran: 9, transaction: "5031" };
const files42: Played = {
  ...machine42,
  name: "b",
  point: 1009,
  paths: ["/srv/<it's> & \u{202e}more"],
  transaction: "5032",
};
const stackOfBoth = [machine42, files42].flatMap((one) => [intentResource(one), restoreResource(one)]);

describe("the runbook's lines on a panel", () => {
  before(function () {
    if (["curl", "bash"].every((name) => spawnSync(name, ["--version"]).status === 0)) return;
    process.stderr.write("there is no curl or no bash here, so the lines are not run\n");
    this.skip();
  });

  it("list the points, restore what the state declares, once each and in order, and list the transactions", async () => {
    const password = `it's "a" $(false) \\ pass word`;
    const sandbox = await startSandbox({ speed: 20_000, password });
    try {
      const state = JSON.parse(
        JSON.stringify(runbookCase).replaceAll("https://panel.example.com", sandbox.url),
      ) as object;
      const { before, steps } = blocksOf(pagesOf(state).markdown);
      assert.equal(before.length, 1);
      for (const step of steps) {
        const lines = step.filter((block) => /RECOVERY_ENDPOINT|\bread\b/.test(block));
        const { status, out, err } = await inBash(`set -e\n${[...before, ...lines].join("")}`, [
          sandbox.username,
          password,
          "1008",
        ]);
        assert.deepEqual([status, err], [0, ""], out);
        assert.ok(!out.includes(password));
        const isAtWork = (): boolean => sandbox.restores().some(({ endedAt }) => endedAt === undefined);
        for (let tries = 0; isAtWork() && tries < 500; tries++) await pause(20);
      }
      assert.deepEqual(
        sandbox.restores().map(({ machineId, recoveryPointId, kind, paths, by, status }) => ({
          machineId,
          recoveryPointId,
          kind,
          ...(paths && { paths }),
          by,
          status,
        })),
        [
          { machineId: "43", recoveryPointId: "1008", kind: "machine" },
          { machineId: "42", recoveryPointId: "1007", kind: "machine" },
          { machineId: "42", recoveryPointId: "1009", kind: "files", paths: ["/var/www", "/srv/it's $HOME"] },
          { machineId: "44", recoveryPointId: "1007", kind: "machine" },
          { machineId: "44", recoveryPointId: "1008", kind: "files", paths: ["/var/mail"] },
        ].map((one) => ({ ...one, by: "post", status: "complete" })),
      );
      const machine = (id: number, point: number, rest: string): string =>
        `/virtual_machines/${id}/backups/recovery_points/${point}/${rest}`;
      const step = (id: number, post: string, body?: string): readonly unknown[] => [
        ["GET", `/virtual_machines/${id}/backups/recovery_points.json`, undefined, 200],
        ["POST", post, body, sandbox.requests().find(({ method }) => method === "POST")?.status],
        ["GET", "/transactions.json/per_page/100", undefined, 200],
      ];
      assert.deepEqual(
        sandbox.requests().map(({ method, path, body, status }) => [method, path, body, status]),
        [
          step(43, machine(43, 1008, "restore.json")),
          step(42, machine(42, 1007, "restore.json")),
          step(42, machine(42, 1009, "file_entries.json"), `{"paths":["/var/www","/srv/it's $HOME"]}`),
          step(44, machine(44, 1007, "restore.json")),
          step(44, machine(44, 1008, "file_entries.json"), `{"paths":["/var/mail"]}`),
        ].flat(),
      );
    } finally {
      await sandbox.stop();
    }
  });

  it("are those of the provider's own format and version, where the state has them", async () => {
    const sandbox = await startSandbox({ speed: 20_000, dialect: { restorePath: "servers" } });
    try {
      const provider = {
        type: "pulumi:providers:pulumi-nodejs",
        name: "site",
        outputs: { "recovery:format": "xml", "recovery:apiVersion": "5.8" },
      };
      const text = JSON.stringify(exportedStack([...stackOfBoth, provider])).replaceAll(
        "https://panel.example.com",
        sandbox.url,
      );
      const { before, steps } = blocksOf(
        pagesOf(
          JSON.parse(
            text.replaceAll(
              /urn:pulumi:drill::shop::pulumi:providers:pulumi-nodejs::default::1/g,
              "urn:pulumi:drill::shop::pulumi:providers:pulumi-nodejs::site::1",
            ),
          ),
        ).markdown,
      );
      for (const step of steps) {
        const answers = [sandbox.username, sandbox.password];
        const { status, out, err } = await inBash(`set -e\n${[...before, ...step].join("")}`, answers);
        assert.deepEqual([status, err], [0, ""], out);
        const isAtWork = (): boolean => sandbox.restores().some(({ endedAt }) => endedAt === undefined);
        for (let tries = 0; isAtWork() && tries < 500; tries++) await pause(20);
      }
      assert.deepEqual(
        sandbox.requests().map(({ method, path }) => `${method} ${path}`),
        [
          "GET /virtual_servers/42/backups/recovery_points.xml",
          "POST /virtual_servers/42/backups/recovery_points/1007/restore.xml",
          "GET /transactions.xml/per_page/100",
          "GET /virtual_servers/42/backups/recovery_points.xml",
          "POST /virtual_machines/42/backups/recovery_points/1009/file_entries.xml",
          "GET /transactions.xml/per_page/100",
        ],
      );
      assert.deepEqual(
        sandbox.restores().map(({ paths, status }) => [paths, status]),
        [
          [undefined, "complete"],
          [["/srv/<it's> & \u{202e}more"], "complete"],
        ],
      );
    } finally {
      await sandbox.stop();
    }
  });

  it("post once, whatever a file of curl's settings asks for", async () => {
    const home = mkdtempSync(join(tmpdir(), "curlrc-"));
    writeFileSync(join(home, ".curlrc"), "retry = 3\nretry-delay = 1\nlocation\nverbose\n");
    let posts = 0;
    const server = createServer(({ url }, response) => {
      posts++;
      response.writeHead(url?.includes("/42/") === true ? 302 : 503, { location: "/virtual_machines" }).end();
    });
    const url = `http://127.0.0.1:${String(await listening(server))}`;
    try {
      const { steps } = blocksOf(pagesOf(runbookCase).markdown);
      for (const [step, status] of [
        [1, 302],
        [3, 503],
      ] as const) {
        posts = 0;
        const post = steps[step]?.find((block) => block.includes("-X POST")) ?? "";
        const { out, err } = await inBash(`export HOME=${home}\nRECOVERY_ENDPOINT=${url}\n${post}`, []);
        assert.match(out, new RegExp(` ${String(status)} `));
        assert.deepEqual([posts, err], [1, ""]);
      }
    } finally {
      server.close();
      rmSync(home, { recursive: true });
    }
  });

  it("send nothing while the recovery point is not chosen", async () => {
    const sandbox = await startSandbox();
    try {
      const { steps } = blocksOf(pagesOf(runbookCase).markdown);
      const post = steps[0]?.find((block) => block.includes("-X POST")) ?? "";
      const { status, err } = await inBash(`RECOVERY_ENDPOINT=${sandbox.url}\n${post}`, []);
      assert.notEqual(status, 0);
      assert.match(err, /point_1: parameter null or not set/);
      assert.deepEqual(sandbox.requests(), []);
    } finally {
      await sandbox.stop();
    }
  });

  it("are the same in both formats", () => {
    const { html, markdown } = pagesOf(runbookCase);
    const { before, steps } = blocksOf(markdown);
    assert.deepEqual(htmlBlocksOf(html), [...before, ...steps.flat()]);
  });
});
