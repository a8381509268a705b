import { house } from "../../tools/house";

/** The map of the house: its rooms, and what lies beside them. Which may import from which is for `tools/house.ts` alone to tell. */
export function houseMap(): string {
  const rooms = Object.entries(house.rooms).map(([name, { purpose }]) => [name, purpose] as const);
  return [...rooms, ...Object.entries(house.alongside)]
    .map(([name, purpose]) => `- \`${name}/\`: ${purpose}`)
    .join("\n");
}
