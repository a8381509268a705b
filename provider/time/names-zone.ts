/** Whether a time stamp says of which zone it is. One that does not is another moment on every machine that reads it. */
export function namesZone(stamp: string): boolean {
  return /(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})\s*$/i.test(stamp) && !/^\d{4}-\d{2}-\d{2}$/.test(stamp);
}
