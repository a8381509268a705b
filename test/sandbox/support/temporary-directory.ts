import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export async function inDirectory<T>(use: (directory: string) => T | Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), "sandbox-"));
  try {
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
