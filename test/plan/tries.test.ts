import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createSecureServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createWebServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer, type Server } from "node:net";
import { gzipSync } from "node:zlib";
import { certificate, privateKey } from "../panel/support/certificate";
import { shownExpectation, shownTarget } from "../../provider/checks/target";
import { secretsRedactor } from "../../provider/panel/secrets";
import { CheckOutput } from "../../provider/checks/output";
import { commandAttempt } from "../../provider/checks/command";
import { httpAttempt } from "../../provider/checks/http";
import { tcpAttempt } from "../../provider/checks/tcp";
import { listening } from "../support/listening";

describe("the attempts of a check", () => {
  const open: Server[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
  });

  const web = async (handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> => {
    const server = createWebServer(handle);
    open.push(server);
    return `http://127.0.0.1:${await listening(server)}/health`;
  };
  const plain = { kind: "http", statuses: [], headers: {} } as const;

  describe("with http", () => {
    it("pass with a status from 200 to 299, or with the one asked for", async () => {
      const url = await web((request, response) => response.writeHead(request.headers["x-moved"] ? 302 : 204).end());
      assert.deepEqual(await httpAttempt({ ...plain, url })(2_000), { output: "" });
      assert.match(
        (await httpAttempt({ ...plain, url, headers: { "x-moved": "1" } })(2_000)).problem ?? "",
        /the answer was 302, not 200 to 299/,
      );
      assert.equal(
        (await httpAttempt({ ...plain, url, headers: { "x-moved": "1" }, statuses: [301, 302] })(2_000)).problem,
        undefined,
      );
    });

    it("look for a text, even in a compressed answer, and never quote the answer in the reason", async () => {
      const url = await web((_request, response) =>
        response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("all is well")),
      );
      assert.equal((await httpAttempt({ ...plain, url, contains: "is well" })(2_000)).problem, undefined);
      const { problem, output } = await httpAttempt({ ...plain, url, contains: "broken" })(2_000);
      assert.match(problem ?? "", /but does not contain the expected text/);
      assert.doesNotMatch(problem ?? "", /well|broken/);
      assert.equal(output, "all is well");
    });

    it("do not pass with an answer that was cut off or cannot be decompressed", async () => {
      const cut = await web((_request, response) => {
        response.writeHead(200);
        response.write("all is", () => response.destroy());
      });
      const short = await web((_request, response) => {
        response.writeHead(200, { "content-length": "100" });
        response.write("all is", () => response.destroy());
      });
      for (const url of [cut, short])
        assert.equal(
          (await httpAttempt({ ...plain, url, contains: "all" })(2_000)).problem,
          "the answer was 200, but its body was cut off",
        );
      for (const body of [Buffer.from("no gzip at all"), gzipSync("all is well").subarray(0, 15)]) {
        const url = await web((_request, response) =>
          response.writeHead(200, { "content-encoding": "gzip" }).end(body),
        );
        assert.equal(
          (await httpAttempt({ ...plain, url })(2_000)).problem,
          "the answer was 200, but its body cannot be decompressed",
        );
      }
    });

    it("end when nothing answers in time, and when nobody listens", async () => {
      const url = await web(() => undefined);
      assert.match((await httpAttempt({ ...plain, url })(200)).problem ?? "", /no answer within 0s/);
      (open[0] as unknown as { closeAllConnections(): void }).closeAllConnections();
      assert.match(
        (await httpAttempt({ ...plain, url: "http://127.0.0.1:1/" })(2_000)).problem ?? "",
        /no answer: ECONNREFUSED/,
      );
    });

    it("read only a limited part of an endless answer", async () => {
      const url = await web((_request, response) => {
        response.writeHead(200);
        const write = (): void => {
          while (!response.destroyed && response.write("x".repeat(65_536)));
          if (!response.destroyed) response.once("drain", write);
        };
        write();
      });
      const { problem, output } = await httpAttempt({ ...plain, url, contains: "y" })(10_000);
      assert.match(problem ?? "", /but does not contain the expected text/);
      assert.equal(output?.length, 1024 * 1024);
    });

    it("trust only a private authority whose certificate is given", async () => {
      const server = createSecureServer({ cert: certificate, key: privateKey }, (_request, response) =>
        response.writeHead(204).end(),
      );
      open.push(server);
      const url = `https://localhost:${await listening(server)}/`;
      const folder = mkdtempSync(join(tmpdir(), "recovery-check-"));
      try {
        const caFile = join(folder, "ca.pem");
        writeFileSync(caFile, certificate);
        assert.equal((await httpAttempt({ ...plain, url, caFile })(5_000)).problem, undefined);
        assert.match((await httpAttempt({ ...plain, url })(5_000)).problem ?? "", /no answer: .*SELF_SIGNED/);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });

    it("say that a file of certificates cannot be read", async () => {
      const { problem } = await httpAttempt({ ...plain, url: "https://127.0.0.1:1/", caFile: "/nowhere/ca.pem" })(
        1_000,
      );
      assert.match(problem ?? "", /caFile cannot be read: ENOENT/);
    });
  });

  describe("with tcp", () => {
    it("pass when a connection is accepted, and not when it is refused", async () => {
      const server = createServer((socket) => socket.end());
      open.push(server);
      const port = await listening(server);
      assert.deepEqual(await tcpAttempt({ kind: "tcp", host: "127.0.0.1", port })(2_000), {});
      assert.match(
        (await tcpAttempt({ kind: "tcp", host: "127.0.0.1", port: 1 })(2_000)).problem ?? "",
        /no connection: ECONNREFUSED/,
      );
    });
  });

  describe("with a command", () => {
    const node = (script: string, env: Record<string, string> = {}) =>
      commandAttempt(
        { kind: "command", argv: [process.execPath, "-e", script], env },
        { PATH: "/bin", RECOVERY_PASSWORD: "hunter2", HOME: "/root" },
      );

    it("pass when it ends with 0, and keep its output", async () => {
      assert.deepEqual(await node("console.log('up'); console.error('fine')")(10_000), { output: "up\nfine\n" });
    });

    it("give it the check's environment, and none of the provider's secrets", async () => {
      const { output } = await node("console.log(JSON.stringify(process.env))", { TOKEN: "t" })(10_000);
      const env = JSON.parse(output ?? "{}") as Record<string, string>;
      assert.deepEqual([env["TOKEN"], env["PATH"], env["RECOVERY_PASSWORD"]], ["t", "/bin", undefined]);
    });

    it("use no shell", async () => {
      const { output } = await commandAttempt({
        kind: "command",
        argv: [process.execPath, "-p", "process.argv[1]", "$HOME; exit 1"],
        env: {},
      })(10_000);
      assert.equal(output, "$HOME; exit 1\n");
    });

    it("say how it ended, and quote none of its output", async () => {
      const { problem } = await node("console.log('hunter2'); process.exit(3)")(10_000);
      assert.equal(problem, "it ended with exit code 3");
      assert.equal(
        (await node("process.kill(process.pid, 'SIGTERM'); setTimeout(() => {}, 5000)")(10_000)).problem,
        "it was ended by SIGTERM",
      );
      const missing = commandAttempt({ kind: "command", argv: ["/nowhere/at-all"], env: {} });
      assert.match((await missing(10_000)).problem ?? "", /could not be started: ENOENT/);
    });

    it("end it with its child processes when its time is over", async () => {
      const started = Date.now();
      const script =
        "require('child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { stdio: 'inherit' }); setTimeout(() => {}, 60000)";
      assert.match((await node(script)(1_000)).problem ?? "", /it did not end within 1s/);
      assert.ok(Date.now() - started < 20_000);
    }).timeout(30_000);
  });
});

describe("the shown target of a check", () => {
  const table: readonly [unknown, string][] = [
    ["https://shop.example.com/health", "https://shop.example.com/health"],
    ["https://shop.example.com/health?token=hunter2", "https://shop.example.com/health?…"],
    ["https://ada:hunter2@shop.example.com/", "https://shop.example.com/"],
    ["10.0.0.43:5432", "10.0.0.43:5432"],
    [["ssh", "web", "mysql", "--password", "hunter2"], "ssh web mysql --password [secret]"],
    [["echo", "a\nb <{%x%}>"], "echo a b <{ %x%}>"],
    [["x".repeat(500)], `${"x".repeat(200)}…`],
  ];
  for (const [asked, expected] of table) {
    it(`of ${JSON.stringify(asked).slice(0, 60)}`, () => assert.equal(shownTarget(asked), expected));
  }

  for (const [given, expected] of [
    [{ status: 204 }, "status 204"],
    [{ status: [200, 204], contains: "ok" }, 'status 200 or 204, containing "ok"'],
    [{ contains: "password=hunter2 <{%x%}>\n" }, 'containing "password=[secret] <{ %x%}> "'],
  ] as const) {
    it(`and the expected answer: ${JSON.stringify(given)}`, () => assert.equal(shownExpectation(given), expected));
  }

  it("and its output: the end, masked, as far as it fits", () => {
    const kept = new CheckOutput();
    kept.add(
      "db",
      0,
      `${"x".repeat(10_000)} Bearer-value-123456 password=hunter2 end`,
      secretsRedactor(["Bearer-value-123456"]),
    );
    const text = kept.all["db"]?.["1"] ?? "";
    assert.ok(text.length <= 4_001 && text.endsWith("[secret] password=[secret] end"), text.slice(-60));
    for (let index = 0; index < 2_000; index++) kept.add("many", index, "y".repeat(5_000), (text) => text);
    assert.ok(JSON.stringify(kept.all).length < 1_100_000);
  });
});
