import type { InvokeResult } from "@pulumi/pulumi/provider";
import type { ProviderProcess } from "../engine/process";
import { omitUndefinedDeep, own } from "../plain/plain";
import { readFromPanel } from "../program/run-call";
import { type PanelFunction, readCallArgs } from "../program/function-args";
import { pointsFunction } from "../program/get-recovery-points";
import { transactionsFunction } from "../program/get-transactions";
import { logsFunction } from "../program/get-vm-logs";
import { unwrapSecrets, wrapSecrets } from "./secrets";
import { functionTokens } from "../inputs/resource-names";

const functions: Readonly<Record<string, PanelFunction<never, object>>> = {
  [functionTokens.getTransactions]: transactionsFunction,
  [functionTokens.getVmLogs]: logsFunction,
  [functionTokens.getRecoveryPoints]: pointsFunction,
};

/** Runs a function in the provider's process. */
export async function invoke(providerProcess: ProviderProcess, token: string, inputs: unknown): Promise<InvokeResult> {
  const fn = own(functions, token);
  if (fn === undefined) throw new Error(`pulumi-recovery has no function ${token}`);
  const { properties, secret } = unwrapSecrets(inputs);
  const { args, problems } = readCallArgs(fn, properties);
  if (problems.length > 0) {
    return {
      outputs: {},
      failures: problems.map((reason) => ({ property: "", reason: `no request was made: ${reason}` })),
    };
  }
  const { client, ...settings } = providerProcess.listAccess();
  const result = await readFromPanel(fn, args, client, settings);
  const outputs = omitUndefinedDeep(result) as Record<string, unknown>;
  return { outputs: wrapSecrets(outputs, fn.isSecret(result) ? new Set(Object.keys(outputs)) : secret) };
}
