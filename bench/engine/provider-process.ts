import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  Client,
  credentials,
  Server,
  ServerCredentials,
  type requestCallback,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import * as provider from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { repositoryRoot } from "../../tools/engine/cli";

type Properties = Readonly<Record<string, string | number | boolean | object>>;

/** The SDK's own provider process, driven by the engine's calls. */
export class ProviderProcess {
  private constructor(
    private readonly child: ChildProcess,
    private readonly engine: Server,
    private readonly calls: ReturnType<typeof connect>,
  ) {}

  /** Starts the process, with an engine that accepts its messages and shows none. */
  static async start(config: Readonly<Record<string, string>> = {}): Promise<ProviderProcess> {
    const engine = new Server();
    engine.addService(EngineService, silentEngine);
    const enginePort = await new Promise<number>((resolve, reject) => {
      engine.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) => {
        if (error) reject(error);
        else resolve(bound);
      });
    });
    const main = require.resolve("@pulumi/pulumi/cmd/dynamic-provider");
    const probe = join(__dirname, "memory-probe.cjs");
    const child = spawn(
      process.execPath,
      ["--expose-gc", "--require", probe, main, `127.0.0.1:${String(enginePort)}`],
      { cwd: repositoryRoot, stdio: ["ignore", "pipe", "ignore", "ipc"] },
    );
    const port = await new Promise<string>((resolve, reject) => {
      child.once("error", reject);
      child.stdout?.once("data", (text: Buffer) => {
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

  /** Creates a resource and returns it as stored. */
  async create(urn: string, inputs: Properties): Promise<{ readonly id: string; readonly outputs: Properties }> {
    const request = new provider.CreateRequest();
    request.setUrn(urn);
    request.setProperties(struct(inputs));
    const answer = await this.calls<{ getId(): string; getProperties(): Struct | undefined }>("Create", request);
    return { id: answer.getId(), outputs: (answer.getProperties()?.toJavaScript() ?? {}) as Properties };
  }

  /** Resident memory in bytes. */
  residentBytes(): number {
    const status = readFileSync(`/proc/${String(this.child.pid)}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? NaN) * 1_024;
  }

  /** Bytes in use after a collection: the amount of garbage depends on V8. */
  liveBytes(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.child.once("message", (bytes) => {
        resolve(Number(bytes));
      });
      this.child.send("how much?", (error) => {
        if (error) reject(error);
      });
    });
  }

  async stop(): Promise<void> {
    const gone = new Promise((resolve) => this.child.once("close", resolve));
    this.child.kill("SIGKILL");
    await gone;
    this.engine.forceShutdown();
  }
}

const silentEngine: UntypedServiceImplementation = {
  log: (_call: unknown, callback: (error: null, answer: Empty) => void) => {
    callback(null, new Empty());
  },
};

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
