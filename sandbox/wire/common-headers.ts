import type { Random } from "../../provider/plain/clock";
import type { Dialect } from "../dialect/dialect";
import { panelTime } from "./timestamps";

/** What every answer carries: the panel's own time, and in some dialects a request id and a session cookie. */
export function commonHeaders(status: number, dialect: Dialect, now: number, random: Random): Record<string, string> {
  const token = (): string => Array.from({ length: 16 }, () => Math.floor(random() * 16).toString(16)).join("");
  const traced = dialect.headers === "tracing" || dialect.headers === "all";
  return {
    date: new Date(panelTime(now, dialect)).toUTCString(),
    "cache-control": "no-store",
    ...(status === 401 ? { "www-authenticate": 'Basic realm="Control Panel"' } : {}),
    ...(traced ? { "x-request-id": token(), "set-cookie": `_session_id=${token()}; path=/; HttpOnly` } : {}),
  };
}
