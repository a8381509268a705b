import { connect } from "node:net";
import type { Probe } from "../inputs/read-check";
import { codeOf, type Attempt } from "./attempt";

const longestTryMs = 10_000;

/** Passes when the connection is accepted. Sends nothing over it. */
export function tcpAttempt({ host, port }: Extract<Probe, { kind: "tcp" }>): Attempt {
  return (limitMs) =>
    new Promise((resolve) => {
      const socket = connect({ host, port });
      const limit = Math.min(limitMs, longestTryMs);
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
