import type { MakePanel } from "./panel";
import { a } from "./panels/a";
import { b } from "./panels/b";
import { c } from "./panels/c";
import { d } from "./panels/d";
import { plain } from "./plainest";
import type { Format } from "./stage";

/** What is expected on a panel. */
export interface Expected {
  /** Whether the next `up` adopts a killed run's restore or asks a question. */
  readonly afterKill: "adopted" | "asks";
  /** Settings that nobody could guess, without which nothing is sent. The message shows the missing line. */
  readonly needs?: Readonly<Record<string, string>>;
  /** The text that reports a failed restore. @default "failed" */
  readonly failsAs?: "failed" | "cancelled";
}

export const adopted: Expected = { afterKill: "adopted" };
const asks: Expected = { afterKill: "asks" };

/** On each panel, a first `up` completes with one POST per restore and no question. At most four panels need a setting. */
export const expected: Readonly<Record<string, Expected>> = {
  "id and status (plain)": asks,
  "id, status and virtual_machine_id": asks,
  "wrapped rows": adopted,
  "camel case, nested steps": adopted,
  "parent and step rows": asks,
  "XML attributes (a)": asks,
  "XML elements, chained start": adopted,
  "machine in prose": asks,
  "rows without machine": asks,
  "JSON:API, row per file": adopted,
  "XML tasks with owner": asks,
  // Its ids are called upid, and it reports failures in a sentence.
  "stopped with exit status": {
    afterKill: "adopted",
    needs: {
      "recovery:fields": JSON.stringify({ id: "upid", machine: "vmid" }),
      "recovery:failedStatuses": "unable to read recovery point: input/output error",
    },
  },
  "wrapped Rails rows": adopted,
  "Spring page envelope": adopted,
  "Go, empty and null": asks,
  "Django REST hyperlinks": adopted,
  "Express titles, clamped pages": asks,
  "enterprise XML attributes": { ...asks, failsAs: "cancelled" },
  "UUIDs in JSON:API": adopted,
  "parent events with steps": asks,
  "id and status only": asks,
  "state and result columns": asks,
  "bare rows, empty log": asks,
  "id, action, status": asks,
  "virtual_machine_id, both formats": adopted,
  "machine as an object": asks,
  "target, starts empty": adopted,
  "pages oldest first": asks,
  "lettered ids, oldest first": asks,
  "always the last ten": asks,
  "one suffix only": asks,
  "at most twenty": adopted,
  "404 past the end": adopted,
  "last page past the end": asks,
  "POST waits for the end": asks,
  "ten foreign jobs a second": asks,
  "log names bare rows": asks,
  "XML attributes (d)": asks,
  "XML two levels down": asks,
  "202 with a Location": asks,
  "state and result": asks,
  "ticket_no and lamp": {
    afterKill: "asks",
    needs: {
      "recovery:fields": JSON.stringify({ id: "ticket_no", status: "lamp", action: "errand", machine: "machine_no" }),
      "recovery:completeStatuses": "green",
      "recovery:failedStatuses": "red",
    },
  },
};

interface Panel {
  readonly make: MakePanel;
  readonly formats: readonly Format[];
}

export const panels: Readonly<Record<string, Panel>> = {
  ...named(plain, "plain"),
  ...named(a, "a"),
  ...named(b, "b"),
  ...named(c, "c"),
  ...named(d, "d"),
};

function named(group: Readonly<Record<string, Panel>>, letter: string): Readonly<Record<string, Panel>> {
  const entries = Object.entries(group).map(([name, panel]) => {
    const own = `${name} (${letter})`;
    return [own in expected ? own : name, panel] as const;
  });
  return Object.fromEntries(entries);
}
