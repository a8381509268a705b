import { posix } from "node:path";
import { house } from "../../tools/house";

/** The map of the house: its rooms with their arrows, and what lies beside them. A list, because a table's columns would be padded. */
export function houseMap(): string {
  const rooms = Object.entries(house.rooms).map(([name, { purpose, imports }]) => {
    const arrows = imports.map((other) => spokenFrom(name, other)).join(", ");
    return `- \`${name}/\`: ${purpose}${arrows === "" ? "" : ` → ${arrows}`}`;
  });
  const alongside = Object.entries(house.alongside).map(([name, purpose]) => `- \`${name}/\`: ${purpose}`);
  return [...rooms, ...alongside].join("\n");
}

/** A room of the same tree without the tree's name. */
function spokenFrom(from: string, to: string): string {
  const [tree = ""] = from.split("/");
  return to.startsWith(`${tree}/`) ? posix.relative(tree, to) : to;
}
