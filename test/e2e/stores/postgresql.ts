import { execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { waitUntil } from "../support/wait-until";
import { freePort } from "../../support/listening";
import { end, type Started } from "./store";

const account = { user: "pulumi", password: "postgres-in-the-test" };

/** A separate PostgreSQL server in a folder of its own, on the loopback interface, if PostgreSQL is installed. */
export async function postgresql(): Promise<Started> {
  const bin = binaries();
  if (bin === undefined) return { why: "no PostgreSQL server (postgres, initdb) is installed" };
  // PostgreSQL refuses to run as root, so it runs as nobody.
  const who = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;
  const folder = mkdtempSync(join(tmpdir(), "recovery-postgresql-"));
  if (who) chownSync(folder, who.uid, who.gid);
  const data = join(folder, "data");
  writeFileSync(join(folder, "password"), account.password, { mode: 0o644 });
  execFileSync(
    join(bin, "initdb"),
    ["-D", data, "-U", account.user, "--auth=scram-sha-256", `--pwfile=${join(folder, "password")}`, "--encoding=UTF8"],
    { ...who, cwd: folder, stdio: ["ignore", "ignore", "pipe"] },
  );
  const port = await freePort();
  const child = spawn(join(bin, "postgres"), ["-D", data, "-h", "127.0.0.1", "-p", String(port), "-k", folder], {
    ...who,
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const stop = async (): Promise<void> => {
    await end(child, "SIGQUIT");
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await waitUntil(() => child.exitCode !== null || answers(port), 60_000, "PostgreSQL to listen");
    if (child.exitCode !== null) throw new Error(`PostgreSQL did not start: ${said}`);
  } catch (error) {
    await stop();
    throw error;
  }
  const url = `postgres://${account.user}:${account.password}@127.0.0.1:${port}/postgres?sslmode=disable`;
  return { store: { env: { PULUMI_BACKEND_URL: url }, stop } };
}

function binaries(): string | undefined {
  const debian = "/usr/lib/postgresql";
  const folders = [
    ...(process.env.PATH ?? "").split(delimiter).filter(Boolean),
    ...(existsSync(debian) ? readdirSync(debian).map((version) => join(debian, version, "bin")) : []),
  ];
  return folders.find((folder) => ["postgres", "initdb"].every((name) => existsSync(join(folder, name))));
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
    socket.once("close", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
