import type { Sandbox } from "./scene";

/** All restore requests that the panel received, whether or not it refused them. */
export function posts(panel: Sandbox): ReturnType<Sandbox["requests"]> {
  return panel.requests().filter(({ method }) => method === "POST");
}
