import { join } from "node:path";
import { checkKindNames, type CheckKindName } from "../../drills/checks/kinds";
import { componentTypes, functionTokens } from "../../provider/inputs/resource-names";
import { commentOf, membersOf, type Member } from "./members";
import { describedSettings } from "./settings";

const root = join(__dirname, "..", "..");
const membersIn = (file: string, name: string): readonly Member[] => membersOf(join(root, "provider", file), name);
const textOf = (file: string, name: string): string => commentOf(join(root, "provider", file), name).whole;
const args = {
  VmRestore: membersIn("program/restores.ts", "RestoreArgs"),
  FileRestore: membersIn("program/restores.ts", "FileRestoreArgs"),
};
const outputs = {
  VmRestore: membersIn("program/restores.ts", "VmRestore"),
  FileRestore: membersIn("program/restores.ts", "FileRestore"),
};
const drills = join(root, "drills", "program");
const planArgs = (name: string): readonly Member[] => membersOf(join(drills, "args.ts"), name);
// Resources cannot be passed to a component in another process.
const waveArgs = planArgs("RecoveryWaveArgs").filter(({ name }) => name !== "dependsOn");
const planText = (name: string): string => commentOf(join(drills, "args.ts"), name).whole;
const results = join(drills, "results.ts");

/**
 * The plugin's schema, from which Pulumi generates the packages for other languages. Names, types and texts come from the declarations in
 * TypeScript.
 */
export function pluginSchema(): object {
  return {
    name: "recovery",
    displayName: "Recovery",
    description:
      "Restores virtual machines and files from backups: each restore is sent once, waited for and measured.",
    keywords: ["recovery", "restore", "backup", "disaster-recovery", "category/infrastructure", "kind/component"],
    license: "Apache-2.0",
    language: {
      nodejs: { respectSchemaVersion: true },
      python: { pyproject: { enabled: true }, respectSchemaVersion: true },
      go: { respectSchemaVersion: true },
      csharp: { respectSchemaVersion: true },
    },
    config: { variables: settings() },
    provider: {
      description:
        "A connection for restores and functions that use a panel other than the stack's. A setting that is left out comes from the stack's configuration, then from the environment.",
      inputProperties: settings(),
    },
    types: types(),
    resources: resources(),
    functions: functions(),
  };
}

function types(): Record<string, Spec> {
  return {
    "recovery:index:RestoreTimeouts": typeOf(
      "The longest time that each phase of a restore may take: `90s`, `10m`, `1h30m`, `1d`, or a number of seconds. Reaching a limit does not stop the restore.",
      membersIn("program/args.ts", "RestoreTimeoutsArgs"),
    ),
    "recovery:index:RestoreLimits": typeOf(
      "The limits of a restore, in seconds.",
      membersIn("program/args.ts", "RestoreTimeoutsArgs"),
      "number",
    ),
    "recovery:index:RecoveryPointRule": typeOf(
      textOf("program/args.ts", "RecoveryPointRuleArgs"),
      membersIn("program/args.ts", "RecoveryPointRuleArgs"),
    ),
    "recovery:index:RecoveryPointRuleInFull": typeOf(
      textOf("inputs/read-point-rule.ts", "PointRule"),
      membersIn("inputs/read-point-rule.ts", "PointRule"),
    ),
    "recovery:index:Transaction": typeOf(
      textOf("program/rows.ts", "Transaction"),
      membersIn("program/rows.ts", "Transaction"),
    ),
    "recovery:index:LogItem": typeOf(textOf("program/rows.ts", "LogItem"), membersIn("program/rows.ts", "LogItem")),
    "recovery:index:RecoveryPoint": typeOf(
      textOf("program/rows.ts", "RecoveryPoint"),
      membersIn("program/rows.ts", "RecoveryPoint"),
    ),
    "recovery:index:RecoveryWave": typeOf(planText("RecoveryWaveArgs"), waveArgs),
    "recovery:index:PlannedRestore": typeOf(planText("PlannedRestoreArgs"), planArgs("PlannedRestoreArgs")),
    "recovery:index:RecoveryGoals": typeOf(planText("RecoveryGoalsArgs"), planArgs("RecoveryGoalsArgs")),
    "recovery:index:WholeGoals": typeOf(planText("WholeGoalsArgs"), planArgs("WholeGoalsArgs")),
    "recovery:index:RecoveryNotes": typeOf(planText("RecoveryNotesArgs"), planArgs("RecoveryNotesArgs")),
    "recovery:index:RecoveryCheck": checkType(planArgs),
    "recovery:index:PlannedRestoreResult": typeOf(
      commentOf(results, "PlannedRestoreResult").whole,
      membersOf(results, "PlannedRestoreResult"),
    ),
  };
}

function resources(): Record<string, Spec> {
  return {
    [componentTypes.VmRestore]: component(
      textOf("program/restores.ts", "VmRestore"),
      args.VmRestore,
      outputs.VmRestore,
    ),
    [componentTypes.FileRestore]: component(
      textOf("program/restores.ts", "FileRestore"),
      args.FileRestore,
      outputs.FileRestore,
    ),
    [componentTypes.RecoveryPlan]: component(
      `${commentOf(join(drills, "recovery-plan.ts"), "RecoveryPlan").whole}\n\n${commentOf(join(drills, "args.ts"), "RecoveryPlanArgs").rest}`,
      planArgs("RecoveryPlanArgs"),
      membersOf(join(drills, "recovery-plan.ts"), "RecoveryPlan"),
    ),
  };
}

function functions(): Record<string, Spec> {
  return {
    [functionTokens.getTransactions]: functionOf(
      textOf("program/get-transactions.ts", "getTransactions"),
      membersIn("program/get-transactions.ts", "GetTransactionsArgs"),
      membersIn("program/get-transactions.ts", "GetTransactionsResult"),
    ),
    [functionTokens.getVmLogs]: functionOf(
      textOf("program/get-vm-logs.ts", "getVmLogs"),
      membersIn("program/get-vm-logs.ts", "GetVmLogsArgs"),
      membersIn("program/get-vm-logs.ts", "GetVmLogsResult"),
    ),
    [functionTokens.getRecoveryPoints]: functionOf(
      textOf("program/get-recovery-points.ts", "getRecoveryPoints"),
      membersIn("program/get-recovery-points.ts", "GetRecoveryPointsArgs"),
      membersIn("program/get-recovery-points.ts", "GetRecoveryPointsResult"),
    ),
  };
}

type Spec = Readonly<Record<string, unknown>>;

function settings(): Record<string, Spec> {
  return Object.fromEntries(
    describedSettings.map(({ name, type, comment, secret, ...one }) => {
      const spec: Spec = type === "list" ? stringList : { type: /^(integer|boolean)$/.test(type) ? type : "string" };
      const default_ = one.default === undefined ? "" : ` Default: \`${one.default}\`.`;
      return [name, { ...spec, description: `${comment.whole}${default_}`, ...(secret && { secret }) }];
    }),
  );
}

function component(description: string, inputs: readonly Member[], outputs: readonly Member[]): Spec {
  return {
    isComponent: true,
    description,
    inputProperties: propertiesOf(inputs),
    requiredInputs: inputs.filter(({ optional }) => !optional).map(({ name }) => name),
    properties: withoutSecretMarks(propertiesOf(outputs)),
    required: outputs.filter(({ optional }) => !optional).map(({ name }) => name),
  };
}

/**
 * Removes the secret flag from outputs. Pulumi would turn it into the option `additionalSecretOutputs`, which components do not have in C# and Java, so
 * the package would not compile. The value itself stays secret in every language.
 */
function withoutSecretMarks(properties: Record<string, Spec>): Record<string, Spec> {
  return Object.fromEntries(Object.entries(properties).map(([name, spec]) => [name, { ...spec, secret: undefined }]));
}

function functionOf(description: string, args: readonly Member[], result: readonly Member[]): Spec {
  const inputs = args.filter(({ name }) => name !== "provider");
  return {
    description,
    inputs: { type: "object", properties: propertiesOf(inputs), required: required(inputs) },
    outputs: { type: "object", properties: propertiesOf(result), required: required(result) },
  };
}

function typeOf(description: string, members: readonly Member[], type?: string): Spec {
  const properties = propertiesOf(members);
  const all =
    type === undefined
      ? properties
      : Object.fromEntries(Object.entries(properties).map(([name, spec]) => [name, { ...spec, type }]));
  return { type: "object", description, properties: all, required: required(members) };
}

/** The type of a check. In TypeScript each kind has a type; here one type has the inputs of all kinds. */
function checkType(args: (name: string) => readonly Member[]): Spec {
  const names = checkKindNames.map((kind) => `\`${kind}\``);
  const argsOf = (kind: CheckKindName): string => `${kind[0]?.toUpperCase() ?? ""}${kind.slice(1)}CheckArgs`;
  const own = (kind: CheckKindName): readonly Member[] => {
    const times = new Set(args("CheckTimesArgs").map(({ name }) => name));
    return args(argsOf(kind))
      .filter(({ name }) => !times.has(name))
      .map((member) => ({
        ...member,
        optional: true,
        ...(member.name !== kind && {
          comment: { ...member.comment, whole: `With \`${kind}\`: ${member.comment.whole}` },
        }),
      }));
  };
  return typeOf(
    `A check: one of ${names.join(", ")}. ${checkKindNames.map((kind) => `\`${kind}\`: ${planText(argsOf(kind))}`).join(" ")}`,
    [...checkKindNames.flatMap(own), ...args("CheckTimesArgs")],
  );
}

function required(members: readonly Member[]): string[] {
  return members.filter(({ optional }) => !optional).map(({ name }) => name);
}

function propertiesOf(members: readonly Member[]): Record<string, Spec> {
  return Object.fromEntries(
    members.map((member) => [
      member.name,
      {
        ...specOf(member),
        description: descriptionOf(member),
        ...(secretMembers.has(member.name) && { secret: true }),
      },
    ]),
  );
}

const secretMembers: ReadonlySet<string> = new Set(["logOutput", "headers", "env"]);

function descriptionOf({ comment, defaultText }: Member): string {
  if (defaultText === undefined) return comment.whole;
  return `${comment.whole}\n\nDefault: ${defaultText.replace(/^"(.*)"$/, "`$1`")}.`;
}

const any = { $ref: "pulumi.json#/Any" };
const anyList = { type: "array", items: any };
const stringList = { type: "array", items: { type: "string" } };

/** The form of each TypeScript type in the schema. A type that is missing here is an error, because somebody must decide its form. */
const specByType: Readonly<Record<string, Spec>> = {
  // Ids and durations may also be numbers, but a string works in all languages.
  "number | string": { type: "string" },
  "string | number": { type: "string" },
  Duration: { type: "string" },
  string: { type: "string" },
  number: { type: "number" },
  boolean: { type: "boolean" },
  "string[]": stringList,
  "any[]": anyList,
  RestoreTimeoutsArgs: { $ref: "#/types/recovery:index:RestoreTimeouts" },
  RestoreTimeouts: { $ref: "#/types/recovery:index:RestoreLimits" },
  '"newest" | RecoveryPointRuleArgs': { oneOf: [{ type: "string" }, ref("RecoveryPointRule")] },
  PointRule: ref("RecoveryPointRuleInFull"),
  "Transaction[]": { type: "array", items: { $ref: "#/types/recovery:index:Transaction" } },
  "RecoveryPoint[]": listOf("RecoveryPoint"),
  "LogItem[]": { type: "array", items: { $ref: "#/types/recovery:index:LogItem" } },
  "Record<string, unknown>": { type: "object", additionalProperties: any },
  "Record<string, string>": { type: "object", additionalProperties: { type: "string" } },
  // A single status becomes a list with one item.
  "number | number[]": { type: "array", items: { type: "integer" } },
  "RecoveryWaveArgs[]": listOf("RecoveryWave"),
  "Record<string, PlannedRestoreArgs>": mapOf("PlannedRestore"),
  RecoveryGoalsArgs: ref("RecoveryGoals"),
  WholeGoalsArgs: ref("WholeGoals"),
  RecoveryNotesArgs: ref("RecoveryNotes"),
  "RecoveryCheckArgs[]": listOf("RecoveryCheck"),
  "Readonly<Record<string, PlannedRestoreResult>>": mapOf("PlannedRestoreResult"),
  RestoreState: { type: "string" },
  RestoreStatus: { type: "string" },
};

function ref(type: string): Spec {
  return { $ref: `#/types/recovery:index:${type}` };
}

function listOf(type: string): Spec {
  return { type: "array", items: ref(type) };
}

function mapOf(type: string): Spec {
  return { type: "object", additionalProperties: ref(type) };
}

const integerFields: ReadonlySet<string> = new Set([
  ...["page", "perPage", "limit", "lockVersion", "pid", "priority"],
  "attempts",
]);

function specOf({ name, type }: Member): Spec {
  if (type === "number" && integerFields.has(name)) return { type: "integer" };
  const spec = specByType[type] ?? (/^(\| )?"/.test(type) ? { type: "string" } : undefined);
  if (spec === undefined) throw new Error(`${name}: the schema has no form for the type ${type}`);
  return spec;
}
