import { styleText } from "node:util";

const colour = process.stdout.isTTY;

/** The demo's own voice, told from the engine's. */
export function say(text: string): void {
  console.log(colour ? styleText("cyan", `▸ ${text}`) : `▸ ${text}`);
}

/** What the reader could type instead. */
export function command(text: string): void {
  console.log(`    ${colour ? styleText("bold", text) : text}`);
}
