import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer as createWebServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { AttemptResult } from "../../../drills/checks/kind";
import { httpCheck } from "../../../drills/checks/http";
import { certificate, privateKey } from "../../panel/support/certificate";
import { listening } from "../../support/listening";
import { inDirectory } from "../../sandbox/support/temporary-directory";

describe("an attempt at an http check", () => {
  const open: Server[] = [];
  afterEach(() => {
    for (const server of open.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  const web = async (handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> => {
    const server = createWebServer(handle);
    open.push(server);
    return `http://127.0.0.1:${await listening(server)}/health`;
  };
  const asked = (url: string, more: object = {}, limitMs = 2_000) => httpCheck.attempt({ http: url, ...more })(limitMs);
  const why = async (...given: Parameters<typeof asked>): Promise<string | undefined> =>
    (await asked(...given)).problem;

  it("passes with a status from 200 to 299 by default, or with one that the check lists", async () => {
    const url = await web((request, response) => response.writeHead(request.headers["x-moved"] ? 302 : 204).end());
    const headers = { "x-moved": "1" };
    assert.deepEqual(await asked(url), {});
    assert.equal(await why(url, { headers }), "the response was 302, not 200 to 299");
    assert.equal(await why(url, { headers, status: [301, 302] }), undefined);
  });

  it("looks for the expected text, and never quotes the response in the reason", async () => {
    const url = await web((_request, response) => response.writeHead(200).end("all is well"));
    assert.equal(await why(url, { contains: "is well" }), undefined);
    const { problem, output } = await asked(url, { contains: "broken" });
    assert.match(problem ?? "", /but does not contain the expected text/);
    assert.doesNotMatch(problem ?? "", /well|broken/);
    assert.equal(output, "all is well");
  });

  const all = "all is";
  const late = { problem: "the response was 200, but its body did not end within 2s", output: all };
  const failed = { problem: "the response was 503, not 200 to 299", output: all };
  const endless: Readonly<Record<string, readonly [number, string | undefined, AttemptResult, number, number]>> = {
    "does not read an endless body if only the status is checked and it passes": [200, undefined, {}, 0, 10],
    "reads an endless body only briefly, and keeps it, if the status is wrong": [503, "well", failed, 0.9, 10],
    "reads an endless body until the limit if text is expected": [200, "well", late, 1.5, 1.6],
  };
  for (const [what, [status, contains, expected, least, limit]] of Object.entries(endless))
    it(what, async () => {
      const began = performance.now();
      const url = await web((_request, response) => response.writeHead(status, { "content-length": "100" }).write(all));
      assert.deepEqual(await asked(url, { contains }, limit * 1_000), expected);
      const seconds = (performance.now() - began) / 1_000;
      assert.ok(seconds >= least && seconds < least + 5, String(seconds));
    });

  it("fails when the response is cut off or compressed", async () => {
    for (const headers of [{}, { "content-length": "100" }]) {
      const url = await web((_request, response) => {
        response.writeHead(200, headers).write("all is", () => response.destroy());
      });
      assert.equal(await why(url, { contains: "all" }), "the response was 200, but its body was cut off");
    }
    const zipped = await web((_request, response) =>
      response.writeHead(200, { "content-encoding": "GZIP" }).end(gzipSync("all is well")),
    );
    const problem = "the response was 200, but its body is compressed, which was not requested";
    assert.equal(await why(zipped, { contains: "all" }), problem);
    assert.deepEqual(await asked(zipped), {}, "when only the status is checked");
  });

  it("fails when the server does not respond in time, and when no server is listening", async () => {
    const url = await web(() => undefined);
    assert.match((await why(url, {}, 200)) ?? "", /no response within 0s/);
    assert.match((await why("http://127.0.0.1:1/")) ?? "", /no response: ECONNREFUSED/);
  });

  it("reads at most 1 MiB of an endless response", async () => {
    const url = await web((_request, response) => {
      response.writeHead(200);
      const write = (): void => {
        while (!response.destroyed && response.write("x".repeat(65_536)));
        if (!response.destroyed) response.once("drain", write);
      };
      write();
    });
    const { problem, output } = await asked(url, { contains: "y" }, 10_000);
    assert.match(problem ?? "", /but does not contain the expected text/);
    assert.equal(output?.length, 1024 * 1024);
  });

  it("trusts a private certificate authority only when its certificate is configured", async () => {
    const server = createSecureServer({ cert: certificate, key: privateKey }, (_request, response) =>
      response.writeHead(204).end(),
    );
    open.push(server);
    const url = `https://localhost:${await listening(server)}/`;
    await inDirectory(async (folder) => {
      const caFile = join(folder, "ca.pem");
      writeFileSync(caFile, certificate);
      assert.equal(await why(url, { caFile }, 5_000), undefined);
      assert.match((await why(url, {}, 5_000)) ?? "", /no response: .*SELF_SIGNED/);
      assert.match((await why(url, { caFile: "/nowhere/ca.pem" })) ?? "", /caFile cannot be read: ENOENT/);
    });
  });
});
