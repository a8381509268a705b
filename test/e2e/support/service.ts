import { createServer, type RequestListener, type Server } from "node:http";
import { listening } from "../../support/listening";

/** A service of the test's own beside the panel, for the tests of the suite it is called in. `url` has no slash at its end. */
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
