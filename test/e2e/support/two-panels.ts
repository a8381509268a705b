import assert from "node:assert/strict";
import * as recovery from "pulumi-recovery";
import type { Sandbox, Scene } from "./scene";

export function providerOf(panel: Sandbox, name: string, args: recovery.ProviderArgs = {}): recovery.Provider {
  const { url: endpoint, username, password } = panel;
  return new recovery.Provider(name, { endpoint, username, password, ...args });
}

/** Every request was let in, so none carried the other panel's password. */
export function allLetIn(panel: Sandbox): void {
  assert.deepEqual(
    panel.requests().filter((one) => one.status === 401),
    [],
  );
}

/** Two panels with the same machine; each lets in its own user alone. */
export async function panels(scene: Pick<Scene, "panel">): Promise<[Sandbox, Sandbox]> {
  const main = await scene.panel({ speed: 20, username: "main", password: "main-password" });
  const site = await scene.panel({ speed: 20, username: "site", password: "site-password" });
  // Ids that tell whose transaction a result is.
  site.addTransaction({ machineId: 42, action: "take_backup", status: "complete", seconds: 1, ageSeconds: 60 });
  return [main, site];
}
