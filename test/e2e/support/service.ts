import { createServer, type RequestListener, type Server } from "node:http";
import { listening } from "../../support/listening";

/** An HTTP server besides the panel, restarted for each test in the calling suite. `url` has no trailing slash. */
export function useService(answer: RequestListener): { readonly url: string } {
  let server: Server;
  let url = "";
  beforeEach(async () => {
    server = createServer(answer);
    url = `http://127.0.0.1:${await listening(server)}`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    get url() {
      return url;
    },
  };
}
