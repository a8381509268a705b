import type { InvokeResult } from "@pulumi/pulumi/provider";
import type { ProviderProcess } from "../engine/process";
import { omitUndefinedDeep } from "../plain/plain";
import { readWith } from "../program/answer";
import type { PanelFunction } from "../program/function-args";
import { pointsFunction } from "../program/get-recovery-points";
import { transactionsFunction } from "../program/get-transactions";
import { logsFunction } from "../program/get-vm-logs";
import { opened, sealed } from "./secrets";
import { functionTokens } from "./tokens";

/** The functions, read in the provider's process. */
export async function invoke(here: ProviderProcess, token: string, inputs: unknown): Promise<InvokeResult> {
  const { properties, secret } = opened(inputs);
  switch (token) {
    case functionTokens.getTransactions:
      return answered(here, transactionsFunction, properties, secret);
    case functionTokens.getVmLogs:
      return answered(here, logsFunction, properties, secret);
    case functionTokens.getRecoveryPoints:
      return answered(here, pointsFunction, properties, secret);
    default:
      throw new Error(`pulumi-recovery has no function ${token}`);
  }
}

async function answered<Args extends object, Result extends object>(
  here: ProviderProcess,
  what: PanelFunction<Args, Result>,
  properties: Readonly<Record<string, unknown>>,
  secret: ReadonlySet<string>,
): Promise<InvokeResult> {
  const args = properties as Args;
  const problems = what.problems(args);
  if (problems.length > 0) {
    return {
      outputs: {},
      failures: problems.map((reason) => ({ property: "", reason: `no request was made: ${reason}` })),
    };
  }
  const { client, ...settings } = here.listAccess();
  const result = await readWith(what, args, client, settings);
  const outputs = omitUndefinedDeep(result) as Record<string, unknown>;
  return { outputs: sealed(outputs, what.isSecret(result) ? new Set(Object.keys(outputs)) : secret) };
}
