/** A word as a shell takes it back. */
export function quoted(value: string): string {
  return /^[A-Za-z0-9_.@%+=:,/-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}
