import { styleText } from "node:util";

const colour = process.stdout.isTTY;

/** Prints one of the demo's own lines, marked to differ from the engine's output. */
export function say(text: string): void {
  console.log(colour ? styleText("cyan", `▸ ${text}`) : `▸ ${text}`);
}

/** Prints a command that the reader could type. */
export function command(text: string): void {
  console.log(`    ${colour ? styleText("bold", text) : text}`);
}
