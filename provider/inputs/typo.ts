/** `, did you mean "timeouts"?` when one of the known names is a slip of the keyboard away, else nothing. */
export function closestName(name: string, known: readonly string[]): string {
  if (name.length > 60) return "";
  const spelled = name.toLowerCase();
  const [best] = known
    .map((candidate) => ({ candidate, differing: lettersApart(spelled, candidate.toLowerCase()) }))
    .sort((a, b) => a.differing - b.differing);
  if (best === undefined || best.differing > Math.max(1, Math.floor(best.candidate.length / 4))) return "";
  return `, did you mean "${best.candidate}"?`;
}

/** How many letters lie between the beginning and the end that two words share. A slip is in one place of a word. */
function lettersApart(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return Math.max(a.length, b.length) - start - end;
}
