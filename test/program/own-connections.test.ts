import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { built } from "../support/built";

const run = promisify(execFile);

/**
 * Two engines one after the other at one address, as a process that runs several operations may meet them: the second starts right after
 * a call to the first, which was gone by then. The program prints what each answered to the SDK.
 */
const twoEngines = `
  const grpc = require("@grpc/grpc-js");
  const { EngineService } = require("@pulumi/pulumi/proto/engine_grpc_pb");
  const { LogRequest } = require("@pulumi/pulumi/proto/engine_pb");
  const { Empty } = require("google-protobuf/google/protobuf/empty_pb");
  const settings = require("@pulumi/pulumi/runtime/settings");
  const { withLocalStorage } = require("@pulumi/pulumi/runtime/state");
  if (process.argv[1] === "with the package") require("./provider");

  const listen = (port) =>
    new Promise((resolve, reject) => {
      const server = new grpc.Server();
      server.addService(EngineService, { log: (call, answer) => answer(null, new Empty()) });
      const listening = (error, bound) => (error ? reject(error) : resolve({ server, port: bound }));
      server.bindAsync("127.0.0.1:" + port, grpc.ServerCredentials.createInsecure(), listening);
    });
  const call = (engine) =>
    new Promise((resolve) => engine.log(new LogRequest(), (error) => resolve(error ? error.details : "recorded")));
  /** As the Automation API does for each run of a program. */
  const program = (port, body) =>
    withLocalStorage(() => {
      settings.resetOptions("project", "stack", 4, "127.0.0.1:" + port, "", false, "organization");
      return body(settings.getEngine());
    });

  (async () => {
    const first = await listen(0);
    await program(first.port, async (engine) => {
      console.log(await call(engine));
      first.server.forceShutdown();
      while ((await call(engine)) === "recorded");
    });
    await listen(first.port);
    await program(first.port, async (engine) => console.log(await call(engine)));
    process.exit();
  })();
`;

async function toldBy(engines: string): Promise<string[]> {
  const { stdout } = await run(process.execPath, ["-e", twoEngines, engines], { cwd: built });
  return stdout.trim().split("\n");
}

describe("a process that runs several operations", () => {
  it("reaches an engine that listens where an earlier one did, which the SDK alone does not even try", async function () {
    this.timeout(60_000);
    const [alone, withThePackage] = await Promise.all([toldBy("alone"), toldBy("with the package")]);
    assert.equal(alone[0], "recorded");
    assert.match(alone[1] ?? "", /^No connection established\. Last error: null/);
    assert.deepEqual(withThePackage, ["recorded", "recorded"]);
  });
});
