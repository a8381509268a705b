import { childPath, type ReadContext } from "../../provider/inputs/problems";
import { type CheckKind, type Reading, readLeaf, readNamedTexts, surrogateProblem, unusable } from "./kind";
import { commandAttempt, type CommandProbe } from "./run-command";

export const commandCheck: CheckKind<CommandProbe> = {
  description:
    "Runs a command on the machine that runs `pulumi up`, without a shell; the check passes when the command exits with code 0.",
  options: ["env"],
  read(given, path, context) {
    const argv = readArgv(given["command"], childPath(path, "command"), context);
    const env = readNamedTexts(given["env"], childPath(path, "env"), variableProblem, context);
    return argv === unusable || env === unusable ? undefined : { argv, env };
  },
  attempt: (probe) => commandAttempt(probe),
  secrets: ({ argv, env }) => [...argv.slice(1), ...Object.values(env)],
};

/** Messages never quote the command, because any word in it may be a password. */
function readArgv(value: unknown, path: string, context: ReadContext): Reading<readonly string[]> {
  if (context.isUnknown(value)) return unusable;
  if (!Array.isArray(value) || value.length === 0) {
    const what = Array.isArray(value) ? "an empty list" : "not a list";
    context.problems.add(
      path,
      ` is ${what}: pass the command and its arguments as a list, like ["ssh", "web", "true"]`,
    );
    return unusable;
  }
  const words = (value as readonly unknown[]).map((word, index) =>
    readLeaf(word, childPath(path, index), (known) => wordProblem(known, index), context),
  );
  return words.every((word) => word !== unusable) ? words : unusable;
}

function wordProblem(word: unknown, index: number): string | undefined {
  if (typeof word !== "string") return " is not a string";
  if (word.includes("\0")) return " contains a null character, which is not allowed";
  if (index === 0 && word.trim() === "") return " is empty: name the command";
  return surrogateProblem(word);
}

function variableProblem(name: string, text: unknown): string | undefined {
  if (name === "" || /[=\0]/.test(name)) return " is not a valid variable name";
  if (typeof text !== "string") return " is not a string";
  return text.includes("\0") ? " contains a null character, which is not allowed" : surrogateProblem(text);
}
