/** What a thrown thing says, as part of a line of the sandbox's own. */
export function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
