import { join } from "node:path";
import { settingDefinitions, settingNames } from "../../provider/inputs/settings-table";
import { componentTypes, functionTokens } from "../../provider/plugin/tokens";
import { membersOf, type Member } from "./members";

/**
 * The plugin's schema, out of which Pulumi makes the packages for other languages. Names, types and texts are those of the declarations
 * in TypeScript.
 */
export function pluginSchema(root: string): object {
  const membersIn = (file: string, name: string): readonly Member[] => membersOf(join(root, "provider", file), name);
  const args = {
    VmRestore: membersIn("program/restores.ts", "RestoreArgs"),
    FileRestore: membersIn("program/restores.ts", "FileRestoreArgs"),
  };
  const outputs = {
    VmRestore: membersIn("program/restores.ts", "VmRestore"),
    FileRestore: membersIn("program/restores.ts", "FileRestore"),
  };
  const planArgs = (name: string): readonly Member[] => membersIn("program/plan-args.ts", name);
  const stored = (name: string): readonly Member[] => membersIn("plan/stored.ts", name);
  return {
    name: "recovery",
    displayName: "Recovery",
    description:
      "Declarative restores of virtual machines and files from backup recovery points: posted once, waited for, measured.",
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
        "A connection of its own, for restores and functions that are to use another panel than the stack's. What is left out comes from the stack's configuration, then from the environment.",
      inputProperties: settings(),
    },
    types: {
      "recovery:index:RestoreTimeouts": typeOf(
        "How long each part of a restore may take: `90s`, `10m`, `1h30m`, `1d`, or a number of seconds. A limit that passes does not stop the restore.",
        membersIn("program/args.ts", "RestoreTimeoutsArgs"),
      ),
      "recovery:index:RestoreLimits": typeOf(
        "The limits of a restore, in seconds.",
        membersIn("program/args.ts", "RestoreTimeoutsArgs"),
        "number",
      ),
      "recovery:index:RecoveryPointRule": typeOf(
        "By what a recovery point is chosen from the panel's list. Each part may be left out.",
        membersIn("program/args.ts", "RecoveryPointRuleArgs"),
      ),
      "recovery:index:RecoveryPointRuleInFull": typeOf(
        "A rule as it is stored.",
        membersIn("program/args.ts", "RecoveryPointRule"),
      ),
      "recovery:index:Transaction": typeOf(
        "A transaction of the panel: one operation, such as a restore, a backup or a start.",
        membersIn("program/rows.ts", "Transaction"),
      ),
      "recovery:index:LogItem": typeOf("An entry of a machine's log.", membersIn("program/rows.ts", "LogItem")),
      "recovery:index:RecoveryPoint": typeOf(
        "A recovery point of a machine: a backup that it can be restored from.",
        membersIn("program/rows.ts", "RecoveryPoint"),
      ),
      "recovery:index:RecoveryWave": typeOf("One wave of a plan.", planArgs("RecoveryWaveArgs")),
      "recovery:index:PlannedRestore": typeOf(
        "One restore of a plan: of a machine, or with `paths` of files. Its wave waits for it.",
        planArgs("PlannedRestoreArgs"),
      ),
      "recovery:index:ChosenFrom": typeOf(
        "From what a recovery point was chosen.",
        membersIn("inputs/intent.ts", "ChosenFrom"),
      ),
      "recovery:index:RecoveryGoals": typeOf("Goals of one restore.", planArgs("RecoveryGoalsArgs")),
      "recovery:index:WholeGoals": typeOf("Goals of the whole plan.", planArgs("WholeGoalsArgs")),
      "recovery:index:RecoveryNotes": typeOf("For the report, shown as given.", planArgs("RecoveryNotesArgs")),
      "recovery:index:RecoveryCheck": checkType(planArgs),
      "recovery:index:PlannedRestoreResult": typeOf(
        "How one restore of a plan came out. Times in seconds; what is not known is absent.",
        membersIn("program/construct-plan.ts", "PlannedRestoreResult"),
      ),
      "recovery:index:CheckResult": typeOf(
        "A check, and what it came to.",
        membersIn("inputs/read-check.ts", "StoredCheck"),
      ),
      "recovery:index:GoalResult": typeOf("A goal, and whether it was met.", stored("StoredGoal")),
      "recovery:index:SlowestRestore": typeOf("The restore of a plan that took longest.", stored("StoredSlowest")),
      "recovery:index:PlanCounts": typeOf("How many restores a plan has, and how they ended.", stored("StoredCounts")),
      "recovery:index:CheckCounts": typeOf(
        "How many checks a plan has, by what they came to.",
        stored("StoredCheckCounts"),
      ),
    },
    resources: {
      [componentTypes.VmRestore]: component(
        "A whole machine, restored from one of its recovery points.\n\nCreating it overwrites the machine with the backup, once; so does any change of `virtualMachineId`, `recoveryPointId`, `recoveryPoint` or `triggers`. Any other change updates the resource and sends nothing. Deleting it forgets the restore and sends nothing.",
        args.VmRestore,
        outputs.VmRestore,
      ),
      [componentTypes.FileRestore]: component(
        "Chosen files and folders of a machine, restored from one of its recovery points.\n\nCreating it overwrites them with the backup, once; so does any change of `virtualMachineId`, `recoveryPointId`, `recoveryPoint`, `paths` or `triggers`. Any other change updates the resource and sends nothing. Deleting it forgets the restore and sends nothing.",
        args.FileRestore,
        outputs.FileRestore,
      ),
      [componentTypes.RecoveryPlan]: component(
        "Many machines in order, and one verdict. The restores of a wave are requested at once and waited for together; each machine is checked when its restore has ended; the next wave begins when all is well. At the end stands whether the goals were met.\n\nEvery restore is posted once per `run`: a run that was cut off is picked up by the next `pulumi up`, a new name in `run` restores everything again, and an unchanged plan does nothing. Deleting a plan forgets it and sends nothing.\n\nDurations, goals, names and what happens after a failure are known before the run. Ids, stamps, notes, and what a check asks may be outputs.",
        planArgs("RecoveryPlanArgs"),
        membersIn("program/recovery-plan.ts", "RecoveryPlan"),
      ),
    },
    functions: {
      [functionTokens.getTransactions]: functionOf(
        "The panel's transactions, newest first. Reads the panel in previews too. An empty list is a result.",
        membersIn("program/get-transactions.ts", "GetTransactionsArgs"),
        membersIn("program/get-transactions.ts", "GetTransactionsResult"),
      ),
      [functionTokens.getVmLogs]: functionOf(
        "The entries of a machine's log, newest first. Reads the panel in previews too. An empty list is a result.",
        membersIn("program/get-vm-logs.ts", "GetVmLogsArgs"),
        membersIn("program/get-vm-logs.ts", "GetVmLogsResult"),
      ),
      [functionTokens.getRecoveryPoints]: functionOf(
        "The recovery points of a machine, newest first. Reads the panel in previews too. An empty list is a result.\n\nAn id taken from this list and given to a restore restores the machine again with the next `pulumi up` after every backup.",
        membersIn("program/get-recovery-points.ts", "GetRecoveryPointsArgs"),
        membersIn("program/get-recovery-points.ts", "GetRecoveryPointsResult"),
      ),
    },
  };
}

type Spec = Readonly<Record<string, unknown>>;

function settings(): Record<string, Spec> {
  return Object.fromEntries(
    settingNames.map((name) => {
      const one = settingDefinitions[name];
      const type = {
        integer: { type: "integer" },
        boolean: { type: "boolean" },
        list: { type: "array", items: { type: "string" } },
      };
      const spec: Spec = Object.hasOwn(type, one.type) ? type[one.type as keyof typeof type] : { type: "string" };
      const default_ = "default" in one ? ` Default: \`${one.default}\`.` : "";
      return [name, { ...spec, description: `${one.meaning}.${default_}`, ...("secret" in one && { secret: true }) }];
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
 * Of an output that is marked as a secret, Pulumi makes the option `additionalSecretOutputs`, which components do not have in C# and Java: the
 * package would not compile. The value itself is a secret, in every language.
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

/** In TypeScript a check is one of three types. Here it is one type with all of their inputs, of which a program gives those of one. */
function checkType(args: (name: string) => readonly Member[]): Spec {
  const kinds = { http: args("HttpCheckArgs"), tcp: args("TcpCheckArgs"), command: args("CommandCheckArgs") };
  const own = (kind: keyof typeof kinds): readonly Member[] => {
    const times = new Set(args("CheckTimesArgs").map(({ name }) => name));
    return kinds[kind]
      .filter(({ name }) => !times.has(name))
      .map((member) => ({
        ...member,
        optional: true,
        ...(member.name !== kind && { meaning: `With \`${kind}\`: ${member.meaning}` }),
      }));
  };
  return typeOf(
    "A check: one of `http`, `tcp` and `command`. `http` asks an address and judges the answer, and follows no redirect; `tcp` opens a connection and closes it again; `command` runs a command on the machine that runs `pulumi up`, without a shell, and passes when it ends with 0.",
    [...own("http"), ...own("tcp"), ...own("command"), ...args("CheckTimesArgs")],
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

function descriptionOf({ meaning, defaultText: fallback }: Member): string {
  return (
    meaning.replaceAll("<br>", "\n- ") +
    (fallback === undefined ? "" : `\n\nDefault: ${fallback.replace(/^"(.*)"$/, "`$1`")}.`)
  );
}

const any = { $ref: "pulumi.json#/Any" };
const anyList = { type: "array", items: any };
const stringList = { type: "array", items: { type: "string" } };

/** What the types are called in TypeScript, and what in a schema. A type that is not here has to be thought about. */
const specByType: Readonly<Record<string, Spec>> = {
  // Ids and durations may be numbers as well; a text fits all languages.
  "number | string": { type: "string" },
  Duration: { type: "string" },
  string: { type: "string" },
  number: { type: "number" },
  boolean: { type: "boolean" },
  "string[]": stringList,
  "any[]": anyList,
  RestoreTimeoutsArgs: { $ref: "#/types/recovery:index:RestoreTimeouts" },
  RestoreTimeouts: { $ref: "#/types/recovery:index:RestoreLimits" },
  '"newest" | RecoveryPointRuleArgs': { oneOf: [{ type: "string" }, ref("RecoveryPointRule")] },
  RecoveryPointRule: ref("RecoveryPointRuleInFull"),
  PointRule: ref("RecoveryPointRuleInFull"),
  ChosenFrom: ref("ChosenFrom"),
  "Transaction[]": { type: "array", items: { $ref: "#/types/recovery:index:Transaction" } },
  "RecoveryPoint[]": listOf("RecoveryPoint"),
  "LogItem[]": { type: "array", items: { $ref: "#/types/recovery:index:LogItem" } },
  "Record<string, unknown>": { type: "object", additionalProperties: any },
  "Record<string, string>": { type: "object", additionalProperties: { type: "string" } },
  // One status is a list of one.
  "number | number[]": { type: "array", items: { type: "integer" } },
  "RecoveryWaveArgs[]": listOf("RecoveryWave"),
  "Record<string, PlannedRestoreArgs>": mapOf("PlannedRestore"),
  RecoveryGoalsArgs: ref("RecoveryGoals"),
  WholeGoalsArgs: ref("WholeGoals"),
  RecoveryNotesArgs: ref("RecoveryNotes"),
  "RecoveryCheckArgs[]": listOf("RecoveryCheck"),
  StoredSlowest: ref("SlowestRestore"),
  'StoredVerdict["counts"]': ref("PlanCounts"),
  'StoredVerdict["verdict"]': { type: "string" },
  'RestoreRecord["status"]': { type: "string" },
  StoredCheckCounts: ref("CheckCounts"),
  "StoredGoal[]": listOf("GoalResult"),
  "StoredCheck[]": listOf("CheckResult"),
  "Readonly<Record<string, PlannedRestoreResult>>": mapOf("PlannedRestoreResult"),
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
  ...["pathCount", "tries", "listed", "fitted"],
  ...["planned", "complete", "failed", "cancelled", "unfinished", "notCarriedOut", "adopted", "passed", "notRun"],
]);

function specOf({ name, type }: Member): Spec {
  if (type === "number" && integerFields.has(name)) return { type: "integer" };
  const spec = specByType[type] ?? (/^"/.test(type) ? { type: "string" } : undefined);
  if (spec === undefined) throw new Error(`${name}: the schema has no form for the type ${type}`);
  return spec;
}
