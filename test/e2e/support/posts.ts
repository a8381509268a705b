import type { Sandbox } from "./scene";

/** The restores that were requested from the panel, refused or not. */
export function posts(panel: Sandbox): ReturnType<Sandbox["requests"]> {
  return panel.requests().filter(({ method }) => method === "POST");
}
