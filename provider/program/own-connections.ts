import * as pulumi from "@pulumi/pulumi";

/**
 * Gives every run of a program its own gRPC connections.
 *
 * With the Automation API, one process runs several operations, and an engine may listen on a port that an earlier engine used. The SDK leaves its connections
 * to earlier engines open and shares them by address, so it mistakes the new engine for the old one, which is gone, and does not contact it. If that happens
 * after the stack was registered, the SDK ends the program without running it and reports success. The engine then forgets every restore of the program, and
 * the next `up` restores them all again.
 *
 * SDKs older than 3.210 do not export their options, and keep the shared connections.
 */
export function useOwnConnections(): void {
  const { grpcChannelOptions, grpcClientOptions } = pulumi.runtime as SdkGrpcOptions;
  for (const options of [grpcChannelOptions, grpcClientOptions]) {
    if (options !== undefined) options["grpc.use_local_subchannel_pool"] ??= 1;
  }
}

/** The SDK's options for gRPC clients. Newer SDKs use the second name, older SDKs the first. */
type SdkGrpcOptions = Partial<Record<"grpcChannelOptions" | "grpcClientOptions", Record<string, unknown>>>;
