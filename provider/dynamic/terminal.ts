/**
 * Text that may quote the panel, made safe for the user's terminal: control characters would steer it, and the
 * engine takes `<{%…%}>` in any message for a colour of its own and ends the whole run over one it does not know.
 */
export function forTerminal(text: string): string {
  return text.replaceAll(/(?![\n\t])\p{Cc}/gu, "\u{fffd}").replaceAll("<{%", "<{ %");
}
