import { type MakePanel, operationOf, pathsOf, type World } from "./panel";

interface Job {
  readonly id: number;
  readonly machine: string;
  readonly begun: number;
  readonly end: string;
}

/** The plainest panel: rows with an id and a status, in JSON and XML. `named`: with the machine on the row, too. */
function plainest(named: boolean): MakePanel {
  return (world: World) => {
    const jobs: Job[] = [];
    const add = (machine: string, begun: number): number => {
      const id = 501 + jobs.length;
      jobs.unshift({ id, machine, begun, end: world.endOf(machine) });
      return id;
    };
    for (let old = 30; old > 0; old--) add("7", world.now() - (3600 + 60 * old) * 1000);
    const statusOf = ({ begun, end }: Job): string => {
      const seconds = (world.now() - begun) / 1000;
      return seconds < 1 ? "pending" : seconds < world.restoreSeconds ? "running" : end;
    };
    const rowOf = (job: Job): Record<string, unknown> => ({
      id: job.id,
      status: statusOf(job),
      ...(named && { virtual_machine_id: Number(job.machine) }),
    });
    const xmlOf = (job: Job): string =>
      `<transaction>${Object.entries(rowOf(job))
        .map(([name, value]) => `<${name}>${String(value)}</${name}>`)
        .join("")}</transaction>`;
    return {
      answer(request) {
        const asked = operationOf(request);
        if (asked === undefined) return { status: 404 };
        const headers = { "content-type": `application/${asked.format}` };
        switch (asked.what) {
          case "restore":
          case "files": {
            const { machine, point } = asked;
            const id = add(machine, world.now());
            world.posted({ machine, point, ids: [id], ...(asked.what === "files" && { paths: pathsOf(request) }) });
            return { status: 201, headers, body: "" };
          }
          case "log":
            return { status: 200, headers, body: asked.format === "json" ? [] : "<logs></logs>" };
          case "transactions": {
            const size = asked.perPage ?? 10;
            const page = jobs.slice(((asked.page ?? 1) - 1) * size).slice(0, size);
            const xml = `<transactions>${page.map(xmlOf).join("")}</transactions>`;
            return { status: 200, headers, body: asked.format === "json" ? page.map(rowOf) : xml };
          }
        }
      },
      work: (machine) => void add(machine, world.now()),
    };
  };
}

const formats = ["json", "xml"] as const;
export const plain = {
  "id and status": { make: plainest(false), formats },
  "id, status and virtual_machine_id": { make: plainest(true), formats },
};
