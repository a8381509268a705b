import { posix } from "node:path";
import { house } from "../../tools/house";
import { markdownTable } from "./markdown";

/** The map of the house: its rooms with their arrows, and what lies beside them. */
export function houseTable(): string {
  const rooms = Object.entries(house.rooms).map(([name, room]) => [
    `\`${name}/\``,
    room.purpose,
    room.imports.map((other) => spokenFrom(name, other)).join(", "),
  ]);
  const alongside = Object.entries(house.alongside).map(([name, purpose]) => [`\`${name}/\``, purpose, ""]);
  return markdownTable([["folder", "what is in it", "imports from"], ...rooms, ...alongside]);
}

/** A room of the same tree without the tree's name. */
function spokenFrom(from: string, to: string): string {
  const [tree = ""] = from.split("/");
  return to.startsWith(`${tree}/`) ? posix.relative(tree, to) : to;
}
