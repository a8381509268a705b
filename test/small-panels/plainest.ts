import { panelsOf, type Taste } from "./taste";

/** The plainest panel: rows with an id and a status, in JSON and XML. With `named`, rows also name the machine. */
function plainest(named: boolean): Taste {
  const elementOf = (row: unknown): string => {
    const fields = Object.entries(row as object).map(([name, value]) => `<${name}>${String(value)}</${name}>`);
    return `<transaction>${fields.join("")}</transaction>`;
  };
  return {
    formats: ["json", "xml"],
    first: 501,
    past: (back, length) => ["7", "", (3600 + 60 * back) * 1000, length / 1000],
    pending: 0,
    action: () => "",
    parts: ({ length }) => [{ runs: 1000 / length }],
    row: ({ id, status, machine }) => ({ id, status, ...(named && { virtual_machine_id: Number(machine) }) }),
    events: () => [],
    list: (items, { isLog, format }) => {
      const headers = { "content-type": `application/${format}` };
      const xml = isLog ? "<logs></logs>" : `<transactions>${items.map(elementOf).join("")}</transactions>`;
      return { status: 200, headers, body: format === "json" ? items : xml };
    },
    accepted: (_rows, _jobs, format) => ({
      status: 201,
      headers: { "content-type": `application/${format}` },
      body: "",
    }),
    missing: { status: 404 },
  };
}

export const plain = panelsOf({
  "id and status": plainest(false),
  "id, status and virtual_machine_id": plainest(true),
});
