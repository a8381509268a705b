/** `, did you mean "timeouts"?` when one of the known names is a slip of the keyboard away, else nothing. */
export function closestName(name: string, known: readonly string[]): string {
  if (name.length > 60) return "";
  const spelled = name.toLowerCase();
  const [best] = known
    .map((candidate) => ({ candidate, slips: slipsBetween(spelled, candidate.toLowerCase()) }))
    .sort((a, b) => a.slips - b.slips);
  if (best === undefined || best.slips > Math.max(1, Math.floor(best.candidate.length / 4))) return "";
  return `, did you mean "${best.candidate}"?`;
}

/** How many letters must be put in, left out or changed to make one word of the other. */
function slipsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [index, letter] of Array.from(a).entries()) {
    let left = index + 1;
    const next = [left];
    for (const [column, other] of Array.from(b).entries()) {
      left = Math.min(left + 1, (row[column + 1] ?? 0) + 1, (row[column] ?? 0) + (letter === other ? 0 : 1));
      next.push(left);
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
