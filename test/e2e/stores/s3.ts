import { spawn } from "node:child_process";
import { freePort } from "../../support/listening";
import { waitUntil } from "../support/wait-until";
import { end, type Started } from "./store";

const bucket = "recovery-state";

/** A Moto server in a separate process, which speaks S3 and keeps the state in memory. */
export async function s3(): Promise<Started> {
  const { find } = await import("../../../tools/cli/find.mjs");
  const python = await find("python");
  if ("why" in python) return python;
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const child = spawn(python.path, ["-m", "moto.server", "-p", String(port)], { stdio: "ignore" });
  const stop = (): Promise<void> => end(child, "SIGKILL");
  const isMade = (): Promise<boolean> =>
    fetch(`${endpoint}/${bucket}`, { method: "PUT" }).then(
      ({ ok }) => ok,
      () => false,
    );
  try {
    await waitUntil(async () => child.exitCode !== null || (await isMade()), 60_000, "the S3 server to make a bucket");
    if (child.exitCode !== null) throw new Error(`the S3 server ended with ${String(child.exitCode)}`);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    store: {
      env: {
        PULUMI_BACKEND_URL: `s3://${bucket}?region=us-east-1&endpoint=${endpoint}&s3ForcePathStyle=true`,
        AWS_ACCESS_KEY_ID: "recovery-test",
        AWS_SECRET_ACCESS_KEY: "s3-in-the-test",
      },
      stop,
    },
  };
}
