import type { Spec } from "./restores";

/** A YAML program with the given resources, variables and outputs. */
export function programInYaml(body: string, name = "yaml"): string {
  return `name: ${name}\nruntime: yaml\npackages:\n  recovery: ./node_modules/pulumi-recovery/plugin\n${body}`;
}

/** The restores that a test declares as data. JSON is valid YAML. */
export function restoresInYaml(specs: readonly Spec[]): string {
  const defaults = { VmRestore: {}, FileRestore: { paths: ["/etc/hosts"] } };
  const nameOf = (spec: Spec): string => spec.name.replaceAll("-", "_");
  const resources = Object.fromEntries(
    specs.map((spec) => {
      const kind = spec.kind ?? "VmRestore";
      const timeouts = { settle: "0s", ...spec.args?.timeouts };
      const properties = { virtualMachineId: 42, recoveryPointId: 1007, ...defaults[kind], ...spec.args, timeouts };
      return [nameOf(spec), { type: `recovery:${kind}`, properties }];
    }),
  );
  const each = (output: string): string[] => specs.map((spec) => `\${${nameOf(spec)}.${output}}`);
  const outputs = { statuses: each("status"), transactions: each("transactionId") };
  return programInYaml(`resources: ${JSON.stringify(resources)}\noutputs: ${JSON.stringify(outputs)}\n`);
}
