import type { AddressInfo, Server } from "node:net";

/** Has a service that a plan's check asks listen on a free port of this machine, and says where: `127.0.0.1:49152`. */
export async function listening(service: Server): Promise<string> {
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  return `127.0.0.1:${String((service.address() as AddressInfo).port)}`;
}
