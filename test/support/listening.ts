import type { AddressInfo, Server } from "node:net";

/** Has a server listen on a free port of the loopback interface, and says which. */
export async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}
