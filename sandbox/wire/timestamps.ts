import type { Dialect } from "../dialect/dialect";

type TimeStyle = Pick<Dialect, "utcOffsetMinutes" | "timestampPrecision" | "clockSkewSeconds">;

/** ISO 8601 as the panel writes it: on the panel's own clock and in the panel's time zone. */
export function stamp(at: number, style: TimeStyle): string {
  const offset = style.utcOffsetMinutes;
  const local = new Date(panelTime(at, style) + offset * 60_000).toISOString();
  const written = style.timestampPrecision === "seconds" ? local.slice(0, 19) : local.slice(0, 23);
  if (offset === 0) return `${written}Z`;
  const size = Math.abs(offset);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${written}${offset < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

export function panelTime(at: number, style: TimeStyle): number {
  return at + style.clockSkewSeconds * 1000;
}
