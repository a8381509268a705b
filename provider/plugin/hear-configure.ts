import { createRequire } from "node:module";
import type * as Grpc from "@grpc/grpc-js";

type Service = Parameters<Grpc.Server["addService"]>;

/**
 * Lets somebody hear what the engine configures the plugin with. The SDK's server for plugins answers that call and throws its arguments
 * away, but they alone tell an explicit provider's panel: the environment of its process has the stack's configuration. So the server's
 * implementation is taken up as it is handed to gRPC. Where the SDK does it otherwise one day, nothing is heard, and `settings.ts`
 * refuses to guess.
 */
export function hearConfigure(told: (properties: Readonly<Record<string, unknown>>) => void): void {
  const sdk = createRequire(createRequire(__filename).resolve("@pulumi/pulumi/package.json"));
  const { prototype } = (sdk("@grpc/grpc-js") as typeof Grpc).Server;
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with the server it is called on
  const { addService } = prototype;
  prototype.addService = function (this: Grpc.Server, ...[service, implementation]: Service) {
    prototype.addService = addService;
    const { configure } = implementation;
    if (typeof configure === "function") {
      const answer = configure.bind(implementation) as (call: ConfigureCall, callback: unknown) => void;
      implementation["configure"] = (call: ConfigureCall, callback: unknown) => {
        told(argumentsOf(call));
        answer(call, callback);
      };
    }
    addService.call(this, service, implementation);
  };
}

/** What is used of the SDK's message. */
interface ConfigureCall {
  readonly request: { getArgs(): { toJavaScript(): Record<string, unknown> } | undefined };
}

function argumentsOf({ request }: ConfigureCall): Readonly<Record<string, unknown>> {
  return request.getArgs()?.toJavaScript() ?? {};
}
