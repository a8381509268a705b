import { createServer } from "node:http";
import { listening } from "../../support/listening";
import { programInYaml } from "./yaml-restores";

interface PlanOptions {
  readonly http: string;
  /** How many tries a check has. @default "1m" */
  readonly within?: string;
  /** Further inputs of the plan. */
  readonly plan?: Readonly<Record<string, unknown>>;
  readonly name?: string;
  /** Whether the restores are those of a panel of the plan's own, which is the stack's with another user. */
  readonly provider?: Readonly<Record<string, string>>;
}

/** Three waves of a machine each; the second machine is checked, with a secret among what is sent. JSON is YAML. */
export function planInYaml({ http, within = "1m", plan, name, provider }: PlanOptions): string {
  const check = { http, headers: { authorization: "Bearer ${token}" }, every: "1s", within };
  const machine = (id: string, more: object = {}): object => ({
    virtualMachineId: id,
    recoveryPointId: "1007",
    timeouts: { listed: "4s" },
    ...more,
  });
  const properties = {
    run: "first",
    goals: { recoveryTime: "1h" },
    waves: [
      { name: "one", restores: { db: machine("42") } },
      { name: "two", restores: { web: machine("42", { checks: [check], paths: ["/var/www"] }) } },
      { name: "three", restores: { mail: machine("42") } },
    ],
    ...plan,
  };
  const resources = {
    ...(provider && { site: { type: "pulumi:providers:recovery", properties: provider } }),
    shop: {
      type: "recovery:RecoveryPlan",
      properties,
      ...(provider && { options: { provider: "${site}" } }),
    },
  };
  const outputs = Object.fromEntries(
    ["verdict", "reasons", "counts", "restores", "goals"].map((output) => [output, `\${shop.${output}}`]),
  );
  const variables = { token: { "fn::secret": "canary-token" } };
  return programInYaml(
    Object.entries({ variables, resources, outputs })
      .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
      .join(""),
    name,
  );
}

/** A service to be checked, which notes the authorization of each request, and is up unless it is told otherwise. */
export async function withService(
  work: (address: string, asked: readonly string[], be: { isUp: boolean }) => Promise<void>,
): Promise<void> {
  const asked: string[] = [];
  const be = { isUp: true };
  const service = createServer(({ headers }, response) => {
    asked.push(headers.authorization ?? "");
    response.writeHead(be.isUp ? 200 : 503).end();
  });
  const http = `http://127.0.0.1:${await listening(service)}/`;
  try {
    await work(http, asked, be);
  } finally {
    service.closeAllConnections();
    service.close();
  }
}
