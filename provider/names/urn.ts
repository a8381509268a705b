/** The URN of another resource with the same parents. */
export function siblingUrn(urn: string, type: string, name: string): string {
  return renamedUrn(urn, type, () => name);
}

/** The name at the end of a URN. */
export function nameInUrn(urn: string): string {
  return splitUrn(urn)?.name ?? urn;
}

/** The same place with another type and another name. What is no URN comes back as it is. */
export function renamedUrn(urn: string, type: string, rename: (name: string) => string): string {
  const parts = splitUrn(urn);
  if (parts === undefined) return urn;
  return `${parts.stackAndProject}::${[...parts.parentTypes, type].join("$")}::${rename(parts.name)}`;
}

/** `urn:pulumi:<stack>::<project>::<parent type>$<type>::<name>`, where the name may itself hold `::`. */
function splitUrn(urn: string): { stackAndProject: string; parentTypes: readonly string[]; name: string } | undefined {
  const [stack, project, types, ...name] = urn.split("::");
  if (project === undefined || types === undefined || name.length === 0) return undefined;
  return {
    stackAndProject: `${String(stack)}::${project}`,
    parentTypes: types.split("$").slice(0, -1),
    name: name.join("::"),
  };
}
