import { createHash } from "node:crypto";
import { markup, type Part } from "./markup";
import { style } from "./style";

/** Nothing is loaded and nothing runs; the one style sheet is known by its hash, so not even a style attribute counts. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style.text).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** A page that stands alone in one file. */
export function page(title: string, body: Part): string {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`.text;
}
