import type { Probe } from "../read/check";
import { commandTry } from "./command";
import { httpTry } from "./http";
import { tcpTry } from "./tcp";
import type { Try } from "./try";

/** The way a check of each kind is tried. */
export function tryOf(probe: Probe): Try {
  switch (probe.kind) {
    case "http":
      return httpTry(probe);
    case "tcp":
      return tcpTry(probe);
    case "command":
      return commandTry(probe);
  }
}
