/**
 * A minimal Node.js language host, which lets a CLI built without language hosts run whole projects. Like the official host, it starts the SDK's runner, so
 * programs, policy packs and plugins with a PulumiPlugin.yaml load as they do for users. Installing does nothing, because there is nothing to install. It
 * cannot pack packages or generate code.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { createRequire } from "node:module";
import type * as Grpc from "@grpc/grpc-js";
import type * as LanguageService from "@pulumi/pulumi/proto/language_grpc_pb";
import type * as Language from "@pulumi/pulumi/proto/language_pb";
import type * as Plugin from "@pulumi/pulumi/proto/plugin_pb";

const sdk = createRequire(require.resolve("@pulumi/pulumi/package.json"));
const grpc = sdk("@grpc/grpc-js") as typeof Grpc;
const { LanguageRuntimeService } = sdk("./proto/language_grpc_pb.js") as typeof LanguageService;
const language = sdk("./proto/language_pb.js") as typeof Language;
const { PluginInfo } = sdk("./proto/plugin_pb.js") as typeof Plugin;

const engine = process.argv.at(-1) ?? "";

/** The runner's exit code after it has shown the error itself. */
const exitAfterMessage = 32;

function run(request: Language.RunRequest): Promise<Language.RunResponse> {
  const info = request.getInfo();
  const folder = info?.getProgramDirectory() ?? request.getPwd();
  const args = [
    require.resolve("@pulumi/pulumi/cmd/run", { paths: [folder] }),
    ...["--monitor", request.getMonitorAddress(), "--engine", engine],
    ...["--project", request.getProject(), "--stack", request.getStack(), "--organization", request.getOrganization()],
    ...["--parallel", String(request.getParallel()), "--root-directory", info?.getRootDirectory() ?? folder],
    ...(request.getDryrun() ? ["--dry-run"] : []),
    info?.getEntryPoint() ?? ".",
  ];
  const options = info?.getOptions()?.toJavaScript() ?? {};
  // This process uses the repository's compiler settings, but the program uses its own.
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    TS_NODE_PROJECT: undefined,
    PULUMI_CONFIG: JSON.stringify(Object.fromEntries(request.getConfigMap().toArray())),
    PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.getConfigsecretkeysList()),
    PULUMI_NODEJS_TYPESCRIPT: options["typescript"] === false ? "false" : "true",
  };
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ["ignore", "inherit", "inherit"] });
  endWithTheEngine(child);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      const response = new language.RunResponse();
      if (code === exitAfterMessage) response.setBail(true);
      else if (code !== 0) response.setError(`the program ended with code ${String(code)}`);
      resolve(response);
    });
  });
}

/** Runs a plugin or a policy pack until it ends or the call is cancelled. The engine receives its output, which includes its port. */
function runPlugin(call: Grpc.ServerWritableStream<Language.RunPluginRequest, Language.RunPluginResponse>): void {
  const { request } = call;
  const folder = request.getInfo()?.getProgramDirectory() ?? request.getPwd();
  const resolved = (runner: string): string => require.resolve(`@pulumi/pulumi/cmd/${runner}`, { paths: [folder] });
  // A policy pack reads the package.json in its working folder.
  const { args, cwd } =
    request.getKind() === "analyzer"
      ? { args: [resolved("run-policy-pack"), ...request.getArgsList(), "."], cwd: folder }
      : { args: [resolved("run-plugin"), folder, ...request.getArgsList()], cwd: request.getPwd() };
  const given = request.getEnvList().map((one) => one.split(/=(.*)/s).slice(0, 2) as [string, string]);
  const env: NodeJS.ProcessEnv = {
    ...(given.length > 0 ? Object.fromEntries(given) : process.env),
    TS_NODE_PROJECT: undefined,
  };
  const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  endWithTheEngine(child);
  const send = (fill: (response: Language.RunPluginResponse) => void): void => {
    const response = new language.RunPluginResponse();
    fill(response);
    if (!call.cancelled) call.write(response);
  };
  child.stdout.on("data", (text: Buffer) => {
    send((response) => response.setStdout(text));
  });
  child.stderr.on("data", (text: Buffer) => {
    send((response) => response.setStderr(text));
  });
  child.once("close", (code) => {
    send((response) => response.setExitcode(code ?? 1));
    call.end();
  });
  call.once("cancelled", () => child.kill("SIGKILL"));
}

const parent = process.ppid;

const children = new Set<ChildProcess>();

/** Makes a child end with the engine, because killing the engine ends neither this process nor its children. */
function endWithTheEngine(child: ChildProcess): void {
  children.add(child);
  child.once("close", () => children.delete(child));
}

setInterval(() => {
  if (process.ppid === parent) return;
  for (const child of children) child.kill("SIGKILL");
  process.exit(1);
}, 1_000).unref();

type Method<Request, Response> = Grpc.handleUnaryCall<Request, Response>;

function method<Request, Response>(
  answer: (request: Request) => Response | Promise<Response>,
): Method<Request, Response> {
  return ({ request }, done) => {
    Promise.resolve(answer(request)).then(
      (response) => {
        done(null, response);
      },
      (error: unknown) => {
        done(error instanceof Error ? error : new Error(String(error)));
      },
    );
  };
}

const server = new grpc.Server();
server.addService(LanguageRuntimeService, {
  handshake: method(() => new language.LanguageHandshakeResponse()),
  getRequiredPackages: method(() => new language.GetRequiredPackagesResponse()),
  getRequiredPlugins: method(() => new language.GetRequiredPluginsResponse()),
  getPluginInfo: method(() => {
    const info = new PluginInfo();
    info.setVersion("0.0.0");
    return info;
  }),
  run: method(run),
  runPlugin,
  installDependencies: (call: Grpc.ServerWritableStream<unknown, unknown>) => {
    call.end();
  },
});
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  process.stdout.write(`${String(port)}\n`);
});
