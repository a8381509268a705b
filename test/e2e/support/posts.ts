import type { Sandbox } from "./scene";

/** What the panel was asked to restore, refused or not. */
export function posts(panel: Sandbox): ReturnType<Sandbox["requests"]> {
  return panel.requests().filter(({ method }) => method === "POST");
}
