/** `95 s` as `1m35s`: the form in which time-outs are written too. */
export function elapsed(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const parts: readonly [number, string][] = [
    [Math.floor(seconds / 3600), "h"],
    [Math.floor((seconds % 3600) / 60), "m"],
    [seconds % 60, "s"],
  ];
  const shown = parts.filter(([amount]) => amount > 0).map(([amount, unit]) => `${String(amount)}${unit}`);
  return shown.length > 0 ? shown.join("") : "0s";
}
