import type { PanelAnswer } from "./panel";

/** How panels write values, times and XML. */

export const numeric = (id: string): string | number => (/^\d+$/.test(id) ? Number(id) : id);
export const iso = (ms: number): string => new Date(ms).toISOString();
/** A time to the second, without a time zone. */
export const second = (ms: number): string => iso(ms).slice(0, 19);
export const spaced = (ms: number): string => second(ms).replace("T", " ");
export const unix = (ms: number): number => Math.floor(ms / 1000);
export const capital = (text: string): string => text.replace(/^./, (letter) => letter.toUpperCase());
export const safe = (value: unknown): string =>
  String(value).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");
export const xml = (body: string, status = 200) => ({ status, headers: { "content-type": "application/xml" }, body });
/** An XML document with its declaration. */
export const declared = (root: string, status = 200): PanelAnswer => xml(`<?xml version="1.0"?>\n${root}\n`, status);
/** An element, self-closing if it is empty. */
export const tag = (name: string, attributes: object, inner = ""): string => {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${safe(value)}"`);
  return `<${name}${pairs.join("")}${inner ? `>${inner}</${name}>` : "/>"}`;
};
type About = (value: unknown, name: string) => object;

/** An element with a child element for each field, or one element for each item in a list. `about` returns an element's attributes. */
export function element(name: string, value: unknown, about: About = () => ({})): string {
  if (Array.isArray(value)) return value.map((item) => element(name, item, about)).join("");
  if (typeof value !== "object" || value === null) return tag(name, about(value, name), safe(value ?? ""));
  const fields = Object.entries(value).filter(([field]) => /^[\w-]+$/.test(field));
  return tag(name, {}, fields.map(([field, inner]) => element(field, inner, about)).join(""));
}
/** The type attributes that Rails writes. */
export const typed: About = (value, name) => {
  if (typeof value === "number") return { type: "integer" };
  return name.endsWith("_at") ? { type: "dateTime" } : {};
};
