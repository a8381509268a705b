import { request } from "node:http";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../../sandbox";

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The body as parsed JSON. Ids beyond 2^53 must be read from `text`. */
  readonly json: unknown;
}

interface Asking {
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** `null`: no credentials. */
  readonly credentials?: string | null;
}

/** A plain HTTP request, as from a client that does not know this package. */
export function ask(url: string, line: string, asking: Asking = {}): Promise<Answered> {
  const [method = "", path = ""] = line.split(" ");
  const credentials = asking.credentials === undefined ? "operator:sandbox" : asking.credentials;
  const login = credentials === null ? {} : { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` };
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}${path}`,
      { method, agent: false, headers: { ...login, ...asking.headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          const { statusCode: status = 0, headers } = response;
          resolve({
            status,
            headers,
            text,
            get json(): unknown {
              return JSON.parse(text) as unknown;
            },
          });
        });
      },
    );
    sent.on("error", reject);
    sent.end(asking.body);
  });
}

/** Starts a sandbox for the test and always stops it. */
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
