import { connect, isIP } from "node:net";
import { childPath } from "../../provider/inputs/problems";
import { showValue } from "../../provider/plain/text";
import { type CheckAttempt, type CheckKind, codeOf, readLeaf, unusable } from "./kind";

export interface TcpProbe {
  readonly host: string;
  readonly port: number;
}

export const tcpCheck: CheckKind<TcpProbe> = {
  description: "Opens a connection and closes it again.",
  options: [],
  read(given, path, context) {
    const address = readLeaf(given["tcp"], childPath(path, "tcp"), addressProblem, context);
    return address === unusable ? undefined : hostAndPort(address);
  },
  attempt: tcpAttempt,
  host: (given) => hostAndPort(given)?.host,
  secrets: () => [],
};

const longestAttemptMs = 10_000;

/** Passes when the connection is accepted, and sends nothing over it. */
function tcpAttempt({ host, port }: TcpProbe): CheckAttempt {
  return (limitMs) =>
    new Promise((resolve) => {
      const socket = connect({ host, port });
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

function hostAndPort(text: unknown): TcpProbe | undefined {
  if (typeof text !== "string") return undefined;
  const [, six, name, digits] = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = six ?? name;
  const port = Number(digits);
  if (host === undefined || !(port >= 1 && port <= 65_535)) return undefined;
  return six !== undefined && isIP(six) !== 6 ? undefined : { host, port };
}
