import { planTimeouts } from "./plans";
import { programInYaml } from "./yaml-restores";

interface PlanOptions {
  readonly http: string;
  /** The time limit for the check. @default "1m" */
  readonly within?: string;
  /** Further inputs of the plan. */
  readonly plan?: Readonly<Record<string, unknown>>;
  readonly name?: string;
}

/** A machine, its files and another machine, each in its own wave. The check of the files sends a secret. */
export function wavesWith(http: string, within: string, token: string): readonly object[] {
  const machine = (id: string, more: object = {}): object => ({
    virtualMachineId: id,
    recoveryPointId: "1007",
    timeouts: { listed: planTimeouts.listed, settle: "0s" },
    ...more,
  });
  const check = { http, headers: { authorization: token }, every: "1s", within };
  return [
    { name: "one", restores: { db: machine("42") } },
    { name: "two", restores: { web: machine("42", { checks: [check], paths: ["/var/www"] }) } },
    { name: "three", restores: { mail: machine("43") } },
  ];
}

export function planInYaml({ http, within = "1m", plan, name }: PlanOptions): string {
  const properties = {
    run: "first",
    goals: { recoveryTime: "1h" },
    waves: wavesWith(http, within, "Bearer ${token}"),
    ...plan,
  };
  const resources = { shop: { type: "recovery:RecoveryPlan", properties } };
  const outputs = Object.fromEntries(
    ["verdict", "reasons", "restores"].map((output) => [output, `\${shop.${output}}`]),
  );
  const variables = { token: { "fn::secret": "canary-token" } };
  const parts = Object.entries({ variables, resources, outputs });
  return programInYaml(parts.map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`).join(""), name);
}
