import { type Server, createServer } from "node:http";
import type { Clock } from "../../time/clock";
import type { Delivery } from "../delivery";
import type { ReceivedRequest } from "../request";
import { readBody } from "./read-body";
import { send } from "./send";

/** Whoever decides what becomes of a request. */
export interface Receiver {
  readonly clock: Clock;
  receive(request: ReceivedRequest): Delivery;
}

/** The panel's interface on a socket. */
export function panelServer(panel: Receiver): Server {
  return createServer((request, response) => {
    void readBody(request)
      .then((body) => {
        const headers = Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [
            name,
            Array.isArray(value) ? value.join(", ") : value,
          ]),
        );
        const { method = "GET", url = "/" } = request;
        send(panel.receive({ method, path: url, headers, body }), response, panel.clock);
      })
      .catch(() => {
        // The client went away, or the panel itself broke: there is nobody to answer, or no answer.
        request.socket.destroy();
      });
  });
}
