import { connect, isIP } from "node:net";
import { showValue } from "../../provider/plain/text";
import { type CheckAttempt, type CheckKind, codeOf, leaf } from "./kind";

export const tcpCheck: CheckKind<{ readonly tcp: string }> = {
  properties: { tcp: leaf(addressProblem) },
  attempt: ({ tcp }) => tcpAttempt(tcp),
  host: (given) => hostAndPort(given)?.host,
  secrets: () => [],
};

const longestAttemptMs = 10_000;

/** Passes when the connection is accepted, and sends nothing over it. */
function tcpAttempt(address: string): CheckAttempt {
  return (limitMs) =>
    new Promise((resolve) => {
      const socket = connect({ host: "", port: 0, ...hostAndPort(address) });
      const limit = Math.min(limitMs, longestAttemptMs);
      const finish = (problem?: string): void => {
        socket.destroy();
        clearTimeout(timer);
        resolve(problem === undefined ? {} : { problem });
      };
      const timer = setTimeout(() => {
        finish(`no connection within ${String(Math.round(limit / 1_000))}s`);
      }, limit);
      socket.once("connect", () => {
        finish();
      });
      socket.on("error", (error) => {
        finish(`no connection: ${codeOf(error)}`);
      });
    });
}

function addressProblem(value: unknown): string | undefined {
  if (hostAndPort(value) !== undefined) return undefined;
  return ` is ${showValue(value)}: use a host and a port, like "10.0.0.43:5432" or "[2001:db8::43]:5432"`;
}

function hostAndPort(text: unknown): { readonly host: string; readonly port: number } | undefined {
  if (typeof text !== "string") return undefined;
  const [, six, name, digits] = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = six ?? name;
  const port = Number(digits);
  if (host === undefined || !(port >= 1 && port <= 65_535)) return undefined;
  return six !== undefined && isIP(six) !== 6 ? undefined : { host, port };
}
