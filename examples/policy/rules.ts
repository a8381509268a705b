import type { Policies, PolicyResource, ReportViolation, ResourceValidationArgs } from "@pulumi/policy";
import { FileRestore, plannedRestores, VmRestore } from "pulumi-recovery";

const number = (value: number) => ({ type: "number" as const, default: value });

/** The rules. Each rule's `configSchema` contains its settings and their defaults. */
export function rules(now: () => Date): Policies {
  return [
    {
      name: "restore-has-ticket",
      description: "The triggers of each restore include the ticket that allows it.",
      configSchema: { properties: { pattern: { type: "string", default: "\\bCHG-\\d+\\b" } } },
      validateResource: (args: ResourceValidationArgs, report: ReportViolation) => {
        const { pattern } = args.getConfig<{ pattern: string }>();
        const ticket = new RegExp(pattern);
        for (const { name, triggers } of restoresIn(args)) {
          if (triggers.some((one) => typeof one === "string" && ticket.test(one))) continue;
          report(`none of the triggers of ${name} is a ticket (${pattern})`);
        }
      },
    },
    {
      name: "restore-within-hours",
      description: "Restores run only during the set hours, in UTC.",
      configSchema: { properties: { from: number(20), to: number(6) } },
      validateResource: (args: ResourceValidationArgs, report: ReportViolation) => {
        const { from, to } = args.getConfig<{ from: number; to: number }>();
        const hour = now().getUTCHours();
        const isWithin = from <= to ? from <= hour && hour < to : from <= hour || hour < to;
        if (restoresIn(args).length > 0 && !isWithin)
          report(`restores run only from ${String(from)}:00 to ${String(to)}:00 UTC, not at ${String(hour)}:00`);
      },
    },
    {
      name: "restore-few-machines",
      description: "A stack restores at most a set number of machines.",
      configSchema: { properties: { machines: number(20) } },
      validateStack: (args, report) => {
        const { machines: most } = args.getConfig<{ machines: number }>();
        const restores = args.resources.flatMap(restoresIn);
        const { size } = new Set(restores.map(({ virtualMachineId }) => virtualMachineId));
        if (size > most) report(`${String(size)} machines would be restored, but at most ${String(most)} are allowed`);
      },
    },
  ];
}

interface Restored {
  readonly name: string;
  readonly virtualMachineId: string;
  readonly triggers: readonly unknown[];
}

/** The restores that a resource declares: the resource itself if it is a restore, or all restores in a plan's wave. */
function restoresIn(resource: Pick<PolicyResource, "type" | "name" | "props">): readonly Restored[] {
  const { type, name, props } = resource;
  if (type === VmRestore.__pulumiType || type === FileRestore.__pulumiType) {
    const { virtualMachineId, triggers = [] } = props as Partial<Restored>;
    return [{ name, virtualMachineId: String(virtualMachineId), triggers }];
  }
  return plannedRestores(props).map(({ run, triggers, ...restore }) => ({ ...restore, triggers: [run, ...triggers] }));
}
