import { element, tag, xml } from "./spelling";
import { panelsOf, past, type Taste } from "./taste";

/** The plainest panel: rows with an id and a status, in JSON and XML. With `named`, rows also name the machine. */
function plainest(named: boolean): Taste {
  return {
    formats: ["json", "xml"],
    first: 501,
    past,
    pending: 0,
    action: () => "",
    parts: ({ length }) => [{ runs: 1000 / length }],
    row: ({ id, status, machine }) => ({ id, status, ...(named && { virtual_machine_id: Number(machine) }) }),
    events: () => [],
    list: (items, { isLog, format }) => {
      if (format === "json") return { status: 200, body: items };
      return xml(isLog ? tag("logs", {}) : tag("transactions", {}, element("transaction", items)));
    },
    accepted: () => ({ status: 201, body: "" }),
  };
}

export const plain = panelsOf({
  "id and status (plain)": plainest(false),
  "id, status and virtual_machine_id": plainest(true),
});
