import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { commands } from "../../cli/commands";
import { run } from "../../cli/run";
import { restores } from "./support/restores";
import { useScene, type Sandbox } from "./support/scene";
import type { TestStack } from "./support/stack";
import { listening } from "../support/listening";

/** Stands before a panel that does not say when anything has ended. */
function withoutEnds(panel: Sandbox): Server {
  return createServer((request, response) => {
    const { method = "GET", url = "/", headers } = request;
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = method === "GET" ? {} : { body: Buffer.concat(chunks) };
      const { authorization = "", accept = "", "content-type": type = "application/json" } = headers;
      void fetch(panel.url + url, { method, headers: { authorization, accept, "content-type": type }, ...body }).then(
        async (answer) => {
          const text = (await answer.text()).replaceAll(/"(updated_at|finished_at)":"[^"]*"/g, '"$1":null');
          response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" }).end(text);
        },
      );
    });
  });
}

describe("the report's gate over restores without a plan, on the real engine", () => {
  const scene = useScene();

  async function report(
    stack: TestStack,
    ...args: string[]
  ): Promise<{ readonly code: number; readonly said: string }> {
    const state = join(scene.folder, "state.json");
    writeFileSync(state, JSON.stringify(await stack.exportState()));
    let said = "";
    const say = (line: string): void => void (said += `${line}\n`);
    const io = { say, warn: say, environment: {}, stdin: () => Promise.resolve("") };
    const out = ["--out", join(scene.folder, "out")];
    return { code: await run(["report", "--state", state, ...out, ...args], io, commands), said };
  }

  it("lets no goal through that could not be measured", async () => {
    const panel = await scene.panel({ speed: 50 });
    const server = withoutEnds(panel);
    try {
      const endpoint = `http://127.0.0.1:${await listening(server)}`;
      const spec = { name: "web" };
      const stack = await restores(scene, [spec], { config: { "recovery:endpoint": endpoint } });
      await stack.up();
      assert.equal((await stack.resource("web")).outputs?.["status"], "complete");

      assert.equal(
        (await report(stack, "--gate")).code,
        0,
        "without a goal it is back, and that is all that was asked",
      );
      const { code, said } = await report(stack, "--goal-time", "1h", "--gate");
      assert.equal(code, 2);
      assert.match(
        said,
        /--gate: the run is incomplete\..* web: the recovery time could not be measured against its goal of 1h/,
      );
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });
});
