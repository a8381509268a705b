import { once } from "node:events";
import { startSandbox } from "../sandbox";
import { readArguments, usage } from "../sandbox/arguments";
import { type Command, exitCodes, shellQuoted } from "./parts/command";

export const sandbox: Command = {
  name: "sandbox",
  about: "a simulated panel: restore against it without touching a machine",
  usage,
  async run(args, { say }) {
    const panel = await startSandbox({ ...readArguments(args), onRequest: say });
    say(`Panel             ${panel.url}`);
    if (panel.controlUrl !== undefined) say(`Page and control  ${panel.controlUrl}`);
    say("");
    say(`pulumi config set recovery:endpoint ${panel.url}`);
    say(`pulumi config set recovery:username ${shellQuoted(panel.username)}`);
    say(`pulumi config set --secret recovery:password ${shellQuoted(panel.password)}`);
    say("");
    await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
    // The state file is written before every answer, so nothing is left to save.
    await panel.stop();
    say("Stopped");
    return exitCodes.done;
  },
};
