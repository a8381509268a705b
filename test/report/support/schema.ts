import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv2020 from "ajv/dist/2020";

/** The published schema of a report's JSON form. */
export const schema = JSON.parse(
  readFileSync(join(__dirname, "..", "..", "..", "report", "schema", "report-1.json"), "utf8"),
) as { readonly $defs: object };

export const validate = new Ajv2020({ allErrors: true }).compile(schema);
