import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { waitUntil } from "../support/wait-until";
import { freePort } from "../../support/listening";
import { end, type Started } from "./store";

const keys = { access: "recovery-test", secret: "s3-in-the-test" };
const bucket = "recovery-state";

/** A server that speaks S3 and checks signatures, over a folder of its own; where it is not there yet it is built with Go. */
export async function s3(): Promise<Started> {
  const { find } = await import("../../../tools/cli/find.mjs");
  const server = await find("s3-server");
  if ("why" in server) return server;
  const folder = mkdtempSync(join(tmpdir(), "recovery-s3-"));
  // With the server over a folder, a folder in it is a bucket.
  mkdirSync(join(folder, "data", bucket), { recursive: true });
  mkdirSync(join(folder, "meta"));
  const port = await freePort();
  const child = spawn(
    server.path,
    ["--port", `127.0.0.1:${port}`, "--quiet", "posix", "--sidecar", join(folder, "meta"), join(folder, "data")],
    {
      env: { ...process.env, ROOT_ACCESS_KEY: keys.access, ROOT_SECRET_KEY: keys.secret },
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (said += text));
  }
  const stop = async (): Promise<void> => {
    await end(child, "SIGTERM");
    rmSync(folder, { recursive: true, force: true });
  };
  const endpoint = `http://127.0.0.1:${port}`;
  try {
    await waitUntil(
      async () => child.exitCode !== null || (await turnsAway(endpoint)),
      60_000,
      "the S3 server to listen",
    );
    if (child.exitCode !== null) throw new Error(`the S3 server did not start: ${said}`);
  } catch (error) {
    await stop();
    throw error;
  }
  const url = `s3://${bucket}?region=us-east-1&endpoint=${endpoint}&s3ForcePathStyle=true`;
  return {
    store: {
      env: { PULUMI_BACKEND_URL: url, AWS_ACCESS_KEY_ID: keys.access, AWS_SECRET_ACCESS_KEY: keys.secret },
      stop,
    },
  };
}

/** Whoever asks without a signature is turned away: it is there, and it checks. */
async function turnsAway(endpoint: string): Promise<boolean> {
  return fetch(endpoint).then(
    ({ status }) => status === 403,
    () => false,
  );
}
