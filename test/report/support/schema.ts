import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv2020 from "ajv/dist/2020";

/** The published schema of a report's JSON form. */
export const schema = JSON.parse(
  readFileSync(join(__dirname, "..", "..", "..", "report", "schema", "report-1.json"), "utf8"),
) as { readonly $defs: object };

const stamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

export const validate = new Ajv2020({ allErrors: true, formats: { "date-time": stamp } }).compile(schema);
