/** Says something on a resource's own row of `pulumi up`. */
export interface EngineVoice {
  /** What goes on right now: shown while the resource is being worked on, and a line each in a pipeline's log. */
  progress(urn: string, text: string): void;
  /** What the user should still see when everything is over. */
  warn(urn: string, text: string): void;
}
