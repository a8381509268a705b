import { startProvider } from "../../provider/start";
import { startSandbox } from "../../sandbox";
import { connectionTo } from "../../tools/engine/workspace";
import { mean } from "../statistics";
import { instantPanel, timed } from "./timed-up";

/** The time that it takes to create an intent and its restore without the engine. It consists of the panel's own time and the pauses between requests. */
export interface OwnWaits {
  readonly intentMs: number;
  readonly restoreMs: number;
}

/** Measures restores that finish immediately, all sent at the same time, without an engine. */
export async function ownWaits(machines: readonly number[]): Promise<OwnWaits> {
  const panel = await startSandbox(instantPanel(machines));
  const settings = connectionTo(panel);
  const given = (key: string): string | undefined => {
    const value = settings[key];
    return typeof value === "object" ? value.secret : value;
  };
  const { intent, vmRestore } = startProvider({ environment: {} }).handlers;
  vmRestore.configure({ config: { get: given } });
  try {
    const measured = await Promise.all(
      machines.map(async (machine): Promise<OwnWaits> => {
        const madeFor = { kind: "VmRestore", virtualMachineId: String(machine), recoveryPointId: "1007" };
        const urn = (type: string): string =>
          `urn:pulumi:dev::drill::pulumi-nodejs:recovery:${type}::web-${String(machine)}`;
        const { kind, ...target } = madeFor;
        const asked = { ...target, __kind: kind, __row: urn("Intent") };
        const begun = performance.now();
        const made = await intent.create(asked);
        const intentMs = performance.now() - begun;
        const { mark } = made.outs as { readonly mark: object };
        const input = { id: made.id, urn: urn("Intent"), mark, madeFor };
        const restoreMs = await timed(async () =>
          vmRestore.create({ ...target, timeouts: { settle: 0 }, __intent: input }),
        );
        return { intentMs, restoreMs };
      }),
    );
    return {
      intentMs: mean(measured.map(({ intentMs }) => intentMs)),
      restoreMs: mean(measured.map(({ restoreMs }) => restoreMs)),
    };
  } finally {
    await panel.stop();
  }
}
