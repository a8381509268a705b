/**
 * What the CLI takes for a colour of its own. At one that it does not know it panics, and leaves the stack locked.
 */
export const markup = "<{%no colour%}>";
/** Without colours the CLI takes such a text out unseen. */
export const colourful = { color: "always" } as const;
