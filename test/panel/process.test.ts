import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { built } from "../support/built";
import { RawServer, respond } from "./support/raw-server";

/** Runs a program of its own to its end and hands back what it printed. */
async function printed(program: string): Promise<string> {
  const child = spawn(process.execPath, ["-e", program], {
    cwd: built,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString("utf8")));
  const [code] = (await once(child, "close")) as [number | null];
  assert.equal(code, 0);
  return output.trim();
}

const loaded = `Object.keys(require.cache).filter((file) => /node_modules.(axios|fast-xml-parser)./.test(file)).length > 0`;

describe("A program with a panel client", () => {
  it("ends by itself while a connection is kept alive, and loads axios and the XML parser only when they are needed", async () => {
    const server = await RawServer.start(respond(200, "[]", { "Content-Type": "application/json" }));
    const output = await printed(`
      const { createPanelClient } = require("./provider/panel/client");
      const { Secret } = require("./provider/panel/secrets");
      const isLoaded = () => ${loaded};
      const steps = [isLoaded()];
      const options = { endpoint: ${JSON.stringify(server.url)}, username: "u", password: new Secret("p"), requestTimeoutMs: 5000 };
      const panel = createPanelClient({ ...options, format: "json" });
      steps.push(isLoaded());
      panel.listTransactions().then(() => {
        const files = Object.keys(require.cache);
        steps.push(files.some((file) => file.includes("axios")), files.some((file) => file.includes("fast-xml-parser")));
        console.log(JSON.stringify(steps));
      });
    `);
    assert.equal(output, "[false,false,true,false]");
    assert.equal(server.requests.length, 1);
    await server.stop();
  }).timeout(30_000);
});
