import type { Transaction } from "../../provider/panel/types";
import { whoseRow } from "../../provider/rows/whose-row";
import { mayBeRestore } from "../../provider/rows/words";
import { namedTransactions } from "../../provider/restore/machine-log";
import { count } from "../parts/words";
import { type CheckFinding } from "./result";
import type { Survey } from "./survey";

type Field = "associated_object" | "parent" | "params" | "identifier" | "nothing";

const fields: readonly Field[] = ["associated_object", "parent", "params", "identifier", "nothing"];

/** The field by which a row would be matched to a machine. The provider's own rule decides, one field at a time. */
function namingField(row: Transaction): Field {
  const names = (part: Partial<Transaction>, machine: string | undefined): boolean =>
    machine !== undefined && machine !== "" && whoseRow(part, machine) === "this machine";
  const { associatedObjectId, associatedObjectType, parentId, parentType, params, identifier } = row;
  const kept = { ...(parentId !== undefined && { parentId }), ...(parentType !== undefined && { parentType }) };
  if (
    names(
      {
        ...(associatedObjectId !== undefined && { associatedObjectId }),
        ...(associatedObjectType !== undefined && { associatedObjectType }),
      },
      associatedObjectId,
    )
  )
    return "associated_object";
  if (names(kept, parentId)) return "parent";
  if (params !== undefined && Object.values(params).some((value) => names({ params }, String(value)))) return "params";
  if (identifier !== undefined && names({ identifier, ...kept }, identifier)) return "identifier";
  return "nothing";
}

export function whoseFindings(survey: Pick<Survey, "list" | "settings" | "machine">): readonly CheckFinding[] {
  const { list, settings, machine } = survey;
  if (list.rows.length === 0) return [];
  const restores = list.rows.filter((row) => row.action !== undefined && mayBeRestore(row, settings));
  const examined = restores.length > 0 ? restores : list.rows;
  const tally = countByField(examined);
  const namedBy = fields
    .filter((field) => tally.has(field))
    .map((field) => `${fieldNames[field]} (${String(tally.get(field) ?? 0)})`);
  const says = `Fields that name the machine of ${count(examined.length, restores.length > 0 ? "restore" : "row")}: ${namedBy.join(", ")}.`;
  const withoutMachine = tally.get("nothing") ?? 0;
  const byIdentifier = tally.get("identifier") ?? 0;
  if (withoutMachine === 0 && byIdentifier === 0) return [{ code: "whose.rows", verdict: "fine", says }];
  const doesLogTell =
    machine !== undefined &&
    "log" in machine &&
    "items" in machine.log &&
    namedTransactions(machine.log.items).length > 0;
  const why =
    (withoutMachine > 0
      ? "If a row does not name its machine, the machine's own log is read instead: "
      : "An identifier may belong to the backup that a row works on. If a program names the machine by its number, the machine's own log is read instead: ") +
    "one request every 5 to 30 seconds for each waiting restore, until it is found. If the log cannot be read, the restore is not found.";
  if (doesLogTell)
    return [
      {
        code: "whose.rows",
        verdict: "fine",
        says,
        why: `${why} The log of machine ${machine.id} names its transactions.`,
      },
    ];
  return [
    {
      code: "whose.rows",
      verdict: "question",
      says,
      why,
      then:
        withoutMachine > 0 || machine !== undefined
          ? "Make sure that this user may read the logs of the machines you restore: check one with --machine."
          : "Name machines by their identifier in programs, or check one with --machine to see whether its log names its transactions.",
    },
  ];
}

const fieldNames: Readonly<Record<Field, string>> = {
  associated_object: "the associated object",
  parent: "the parent",
  params: "their params",
  identifier: "an identifier alone",
  nothing: "nothing in the row",
};

function countByField(rows: readonly Transaction[]): ReadonlyMap<Field, number> {
  const tally = new Map<Field, number>();
  for (const row of rows) {
    const field = namingField(row);
    tally.set(field, (tally.get(field) ?? 0) + 1);
  }
  return tally;
}
