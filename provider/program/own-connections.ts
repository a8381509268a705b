import * as pulumi from "@pulumi/pulumi";

/**
 * With the Automation API one process runs several operations, and an engine may listen on the port of an earlier one. The SDK
 * leaves its connections to the earlier ones open and shares them by address: it takes the new engine for the one that is gone, and
 * does not even try it. When that comes after the stack itself was registered, the SDK ends the program without running
 * it and calls the run good. The engine forgets every restore that the program declares, and the next `up` restores them all again.
 *
 * With this, every run has connections of its own. SDKs older than 3.210 keep their options to themselves; they stay as they are.
 */
export function useOwnConnections(): void {
  const { grpcChannelOptions, grpcClientOptions } = pulumi.runtime as SdkGrpcOptions;
  for (const options of [grpcChannelOptions, grpcClientOptions]) {
    if (options !== undefined) options["grpc.use_local_subchannel_pool"] ??= 1;
  }
}

/** What the SDK connects by. Newer ones hand the second to their clients, those before them the first. */
type SdkGrpcOptions = Partial<Record<"grpcChannelOptions" | "grpcClientOptions", Record<string, unknown>>>;
