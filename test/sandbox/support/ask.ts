import { type Sandbox, type SandboxOptions, startSandbox } from "../../../sandbox";

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body as parsed JSON. Ids beyond 2^53 must be read from `text`. */
  readonly json: unknown;
}

interface Asking {
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** `null` sends no credentials. */
  readonly credentials?: string | null;
}

/** A plain HTTP request, as from a client that does not know this package. */
export async function ask(
  url: string,
  line: string,
  { body, headers, credentials = "operator:sandbox" }: Asking = {},
): Promise<Answered> {
  const [method = "", path = ""] = line.split(" ");
  const login = credentials === null ? {} : { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` };
  const asked = { method, headers: { ...login, ...headers }, ...(body !== undefined && { body }) };
  const answer = await fetch(`${url}${path}`, { ...asked, redirect: "manual" });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    text,
    get json(): unknown {
      return JSON.parse(text) as unknown;
    },
  };
}

export async function withSandbox<T>(options: SandboxOptions, use: (sandbox: Sandbox) => Promise<T>): Promise<T> {
  const sandbox = await startSandbox(options);
  try {
    return await use(sandbox);
  } finally {
    await sandbox.stop();
  }
}

export const restoreLine = "POST /virtual_machines/42/backups/recovery_points/1007/restore.json";
export const filesLine = "POST /virtual_machines/42/backups/recovery_points/1007/file_entries.json";
