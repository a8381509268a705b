/** The types under which this package's resources are stored: by programs in JavaScript, and by the plugin of other languages. */
const names = {
  vmRestore: ["VmRestore", "VmRestoreRun"],
  fileRestore: ["FileRestore", "FileRestoreRun"],
  intent: ["RestoreIntent"],
  planRun: ["PlanRun"],
  planWave: ["PlanWave"],
  planVerdict: ["PlanVerdict"],
} as const;

export type Kind = keyof typeof names;

const token = /^(?:pulumi-nodejs:dynamic\/recovery|recovery:index):(\w+)$/;

/** Which of this package's resources it is, if any. */
export function kindOf(type: string): Kind | undefined {
  const name = token.exec(type)?.[1];
  return (Object.keys(names) as Kind[]).find((kind) => (names[kind] as readonly (string | undefined)[]).includes(name));
}

export function restoreKindOf(type: string): "VmRestore" | "FileRestore" | undefined {
  const kind = kindOf(type);
  return kind === "vmRestore" ? "VmRestore" : kind === "fileRestore" ? "FileRestore" : undefined;
}
