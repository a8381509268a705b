import { childPath } from "../../provider/inputs/problems";
import { type CheckKind, leaf, namedTexts } from "./kind";
import { commandAttempt, type CommandProbe } from "./run-command";

export const commandCheck: CheckKind<CommandProbe> = {
  properties: {
    // Messages never quote the command, because any word in it may be a password.
    command(value, path, context) {
      if (context.isUnknown(value)) return;
      const words: readonly unknown[] = Array.isArray(value) ? value : [];
      if (words.length === 0)
        context.problems.add(path, ' needs the command and its arguments as a list, like ["ssh", "web", "true"]');
      for (const [index, word] of words.entries())
        leaf((known) => wordProblem(known, index))(word, childPath(path, index), context);
    },
    env: namedTexts(variableProblem),
  },
  attempt: (probe) => commandAttempt(probe),
  secrets: ({ command, env = {} }) => [...command.slice(1), ...Object.values(env)],
};

function wordProblem(word: unknown, index: number): string | undefined {
  if (typeof word !== "string") return " is not a string";
  if (word.includes("\0")) return " contains a null character, which is not allowed";
  return index === 0 && word.trim() === "" ? " is empty: name the command" : undefined;
}

function variableProblem(name: string, text: unknown): string | undefined {
  if (name === "" || /[=\0]/.test(name)) return " is not a valid variable name";
  if (typeof text !== "string") return " is not a string";
  return text.includes("\0") ? " contains a null character, which is not allowed" : undefined;
}
