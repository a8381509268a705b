/**
 * Markdown no longer than so many bytes, cut at the end of a line, with what was open closed and the cut said. What does
 * not even hold the sentence is empty.
 */
export function cutMarkdown(markdown: string, mostBytes: number, whole: string): string {
  if (Buffer.byteLength(markdown) <= mostBytes) return markdown;
  const said = `\n\n**Cut here:** the job's summary holds no more. ${whole}\n`;
  const closing = "\n\n</details>\n";
  const room = mostBytes - Buffer.byteLength(said) - Buffer.byteLength(closing);
  if (room <= 0) return Buffer.byteLength(said) <= mostBytes ? said : "";
  // Bytes of a character that the cut goes through decode to a replacement; the line they are in is left out.
  const part = Buffer.from(markdown).subarray(0, room).toString("utf8");
  const lines = part.slice(0, Math.max(0, part.lastIndexOf("\n")));
  const open = (lines.match(/^<details>/gm) ?? []).length > (lines.match(/^<\/details>$/gm) ?? []).length;
  return `${lines}${open ? closing : ""}${said}`;
}
