"use strict";
/**
 * The least of a Node.js language host, so that tests can run the CLI's own commands on whole projects where only the CLI
 * itself was built: it starts the SDK's runner, as the official one does, and so loads programs as users' programs are
 * loaded. Installing, packing and generating are left out.
 */
const { spawn } = require("node:child_process");
const grpc = require("@grpc/grpc-js");
const services = require("@pulumi/pulumi/proto/language_grpc_pb");
const language = require("@pulumi/pulumi/proto/language_pb");
const plugin = require("@pulumi/pulumi/proto/plugin_pb");

const engine = process.argv.at(-1) ?? "";

/** The runner's own exit code for "the user was told already". */
const exitAfterTelling = 32;

/** @param {any} request */
function run(request) {
  const info = request.getInfo();
  const folder = info.getProgramDirectory();
  const args = [
    require.resolve("@pulumi/pulumi/cmd/run", { paths: [folder] }),
    ...["--monitor", request.getMonitorAddress(), "--engine", engine],
    ...["--project", request.getProject(), "--stack", request.getStack(), "--organization", request.getOrganization()],
    ...["--parallel", String(request.getParallel()), "--root-directory", info.getRootDirectory()],
    ...(request.getDryrun() ? ["--dry-run"] : []),
    info.getEntryPoint() === "" ? "." : info.getEntryPoint(),
  ];
  const options = info.getOptions()?.toJavaScript() ?? {};
  const env = {
    ...process.env,
    PULUMI_CONFIG: JSON.stringify(Object.fromEntries(request.getConfigMap().entries())),
    PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.getConfigsecretkeysList()),
    PULUMI_NODEJS_TYPESCRIPT: String(options.typescript ?? true),
  };
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ["ignore", "inherit", "inherit"] });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      const response = new language.RunResponse();
      if (code === exitAfterTelling) response.setBail(true);
      else if (code !== 0) response.setError(`the program ended with code ${String(code)}`);
      resolve(response);
    });
  });
}

/** @param {(request: any) => any} answer */
function method(answer) {
  return (/** @type {any} */ call, /** @type {(error: unknown, response?: unknown) => void} */ done) => {
    Promise.resolve(answer(call.request)).then(
      (response) => done(null, response),
      (error) => done(error),
    );
  };
}

const server = new grpc.Server();
server.addService(services.LanguageRuntimeService, {
  handshake: method(() => new language.LanguageHandshakeResponse()),
  getRequiredPackages: method(() => new language.GetRequiredPackagesResponse()),
  getRequiredPlugins: method(() => new language.GetRequiredPluginsResponse()),
  getPluginInfo: method(() => new plugin.PluginInfo().setVersion("0.0.0")),
  run: method(run),
});
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  process.stdout.write(`${String(port)}\n`);
});
