import { type Policies, type TypedResourceValidation, validateResourceOfType } from "@pulumi/policy";
import type { Unwrap } from "@pulumi/pulumi";
import { FileRestore, type RestoreArgs, VmRestore } from "pulumi-recovery";

const number = (value: number) => ({ type: "number" as const, default: value });

/** The rules; each one's settings and their defaults stand in its `configSchema`. */
export function rules(now: () => Date): Policies {
  return [
    {
      name: "restore-has-ticket",
      description: "Each restore has among its triggers the ticket that allows it.",
      configSchema: { properties: { pattern: { type: "string", default: "\\bCHG-\\d+\\b" } } },
      validateResource: ofEachRestore(({ triggers = [] }, args, report) => {
        const { pattern } = args.getConfig<{ pattern: string }>();
        const ticket = new RegExp(pattern);
        if (triggers.some((one) => typeof one === "string" && ticket.test(one))) return;
        report(`none of the triggers of ${args.name} is a ticket (${pattern})`);
      }),
    },
    {
      name: "restore-within-hours",
      description: "Restores run within a window of hours, in UTC.",
      configSchema: { properties: { from: number(20), to: number(6) } },
      validateResource: ofEachRestore((_restore, args, report) => {
        const { from, to } = args.getConfig<{ from: number; to: number }>();
        const hour = now().getUTCHours();
        const isWithin = from <= to ? from <= hour && hour < to : from <= hour || hour < to;
        if (!isWithin)
          report(`restores run from ${String(from)} to ${String(to)} o'clock UTC, and it is ${String(hour)}`);
      }),
    },
    {
      name: "restore-few-machines",
      description: "A stack restores at most so many machines.",
      configSchema: { properties: { machines: number(20) } },
      validateStack: (args, report) => {
        const { machines: most } = args.getConfig<{ machines: number }>();
        const restores = args.resources.flatMap((one) => one.asType(VmRestore) ?? one.asType(FileRestore) ?? []);
        const { size } = new Set(restores.map(({ virtualMachineId }) => virtualMachineId));
        if (size > most) report(`${String(size)} machines are restored, and at most ${String(most)} may be`);
      },
    },
  ];
}

/** A rule for restores of machines and of files, beside a plan and in one. */
function ofEachRestore(rule: TypedResourceValidation<Unwrap<RestoreArgs>>) {
  return [validateResourceOfType(VmRestore, rule), validateResourceOfType(FileRestore, rule)];
}
