/** A word as it has to be typed into a shell. */
export function quoted(value: string): string {
  return /^[A-Za-z0-9_.@%+=:,/-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}
