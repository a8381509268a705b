import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv2020 from "ajv/dist/2020";

const stamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** Fails if a command's result does not match its published schema. */
export function published(command: "check" | "ready" | "status" | "report"): (result: object) => void {
  const folder = command === "report" ? command : join("cli", command);
  const file = join(__dirname, "..", "..", "..", folder, "schema", `${command}-1.json`);
  const ajv = new Ajv2020({ allErrors: true, formats: { "date-time": stamp } });
  const validate = ajv.compile(JSON.parse(readFileSync(file, "utf8")) as object);
  return (result) => {
    assert.ok(validate(JSON.parse(JSON.stringify(result))), JSON.stringify(validate.errors));
  };
}
