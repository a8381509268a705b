import { stamp } from "../model/show";
import { markup, type Markup, type Part } from "./markup";

/** Small pieces that several sections are made of. */

export function time(iso: string): Markup {
  return markup`<time datetime="${iso}">${stamp(iso)}</time>`;
}

/** Where the head of the column says that it is UTC. */
export function clock(iso: string): Markup {
  return markup`<time datetime="${iso}">${stamp(iso).replace(" UTC", "")}</time>`;
}

export function sub(part: Part): Markup | undefined {
  return part === undefined ? undefined : markup`<span class="sub">${part}</span>`;
}

/** A wide table scrolls in a frame of its own, which the keyboard reaches. */
export function table(label: string, head: Part, body: Part): Markup {
  return markup`<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table>
<thead><tr>${head}</tr></thead>
${body}
</table></div>`;
}

export function head(text: string, className = ""): Markup {
  return markup`<th scope="col" class="${className}">${text}</th>`;
}

export function section(id: string, title: string, about: Part, body: Part): Markup {
  return markup`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${about === undefined ? undefined : markup`<p class="about">${about}</p>`}
${body}
</section>
`;
}

export function fact(name: string, value: Part): Markup | undefined {
  return value === undefined ? undefined : markup`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

/** A link only where it leads to a page; anything else an address could be stays text. */
export function link(url: string | undefined, text: Part): Part {
  return url !== undefined && /^https?:\/\/[^\s]+$/.test(url)
    ? markup`<a href="${url}" rel="noopener noreferrer">${text}</a>`
    : text;
}

export const none = markup`<span class="soft">–</span>`;
