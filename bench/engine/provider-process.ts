import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { Client, credentials, type requestCallback } from "@grpc/grpc-js";
import * as provider from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { repositoryRoot } from "../../tools/engine/cli";

type Properties = Readonly<Record<string, string | number | boolean | object>>;

/** The SDK's own provider process, driven by the calls that the engine makes. */
export class ProviderProcess {
  private constructor(
    private readonly child: ChildProcess,
    private readonly engine: Server,
    private readonly calls: ReturnType<typeof connect>,
  ) {}

  /** Starts the process beside something that listens where it expects its engine. */
  static async start(config: Readonly<Record<string, string>> = {}): Promise<ProviderProcess> {
    const engine = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => engine.listen(0, "127.0.0.1", resolve));
    const address = engine.address();
    const enginePort = typeof address === "object" && address !== null ? address.port : 0;
    const main = require.resolve("@pulumi/pulumi/cmd/dynamic-provider");
    const child = spawn(process.execPath, [main, `127.0.0.1:${String(enginePort)}`], {
      cwd: repositoryRoot,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const port = await new Promise<string>((resolve, reject) => {
      child.once("error", reject);
      child.stdout.once("data", (text: Buffer) => {
        resolve(text.toString().trim());
      });
    });
    const started = new ProviderProcess(child, engine, connect(port));
    const request = new provider.ConfigureRequest();
    request.setArgs(struct(config));
    await started.calls<unknown>("Configure", request);
    return started;
  }

  async check(urn: string, inputs: Properties): Promise<void> {
    const request = new provider.CheckRequest();
    request.setUrn(urn);
    request.setOlds(Struct.fromJavaScript({}));
    request.setNews(struct(inputs));
    await this.calls("Check", request);
  }

  /** What was created, as stored. */
  async create(urn: string, inputs: Properties): Promise<Properties> {
    const request = new provider.CreateRequest();
    request.setUrn(urn);
    request.setProperties(struct(inputs));
    const answer = await this.calls<{ getProperties(): Struct | undefined }>("Create", request);
    return (answer.getProperties()?.toJavaScript() ?? {}) as Properties;
  }

  /** Resident memory in bytes. */
  residentBytes(): number {
    const status = readFileSync(`/proc/${String(this.child.pid)}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? NaN) * 1_024;
  }

  async stop(): Promise<void> {
    const gone = new Promise((resolve) => this.child.once("close", resolve));
    this.child.kill("SIGKILL");
    await gone;
    await new Promise((resolve) => this.engine.close(resolve));
  }
}

interface Message {
  serializeBinary(): Uint8Array;
}

const answers = {
  Configure: provider.ConfigureResponse,
  Check: provider.CheckResponse,
  Create: provider.CreateResponse,
};

function connect(port: string): <Answer>(method: keyof typeof answers, request: Message) => Promise<Answer> {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  return <Answer>(method: keyof typeof answers, request: Message) =>
    new Promise<Answer>((resolve, reject) => {
      const callback: requestCallback<Answer> = (error, answer) => {
        if (error !== null || answer === undefined) reject(error ?? new Error(`${method} gave no answer`));
        else resolve(answer);
      };
      client.makeUnaryRequest(
        `/pulumirpc.ResourceProvider/${method}`,
        (message: Message) => Buffer.from(message.serializeBinary()),
        (bytes: Buffer) => answers[method].deserializeBinary(bytes) as Answer,
        request,
        callback,
      );
    });
}

function struct(properties: Properties): Struct {
  return Struct.fromJavaScript(properties);
}
