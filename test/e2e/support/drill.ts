import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Scenario } from "../../../sandbox";
import { repositoryRoot } from "../../../tools/engine/cli";
import { Project } from "./project";
import type { Sandbox, SandboxOptions } from "./scene";

/** The drill as a pipeline finds it: checked out, with its stack, panel and service. */
export async function drillOf(folder: string, panel: Sandbox): Promise<Project> {
  const summary = join(folder, "summary.md");
  const checkout = Project.ofExample(folder, "drill", panel, {
    GITHUB_STEP_SUMMARY: summary,
    STACK: "drill",
    RUN: "2026-11",
    ...reportsOf(folder),
  });
  await checkout.run(`pulumi stack init drill\npulumi config set service ${panel.controlUrl ?? ""}`);
  return checkout;
}

/** The environment variables that a pipeline sets. The branch for the pipeline's reports is in a repository in `folder`. */
function reportsOf(folder: string): Readonly<Record<string, string>> {
  const address = "https://reports:token@git.example/shop/drill.git";
  return {
    GITHUB_RUN_ID: "77",
    CI_PIPELINE_ID: "78",
    CI_SERVER_HOST: "git.example",
    CI_PROJECT_PATH: "shop/drill",
    REPORTS_TOKEN: "token",
    STATE_TOKEN: "token",
    AWS_WEB_IDENTITY_TOKEN_FILE: join(folder, "state-token"),
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: `url.${join(folder, "reports.git")}.insteadOf`,
    GIT_CONFIG_VALUE_0: address,
  };
}

/** The example's panel, with the web page that stands in for its service. */
export function panelOptions(speed: number): SandboxOptions {
  const machines = readFileSync(join(repositoryRoot, "examples", "drill", "sandbox.json"), "utf8");
  return { scenario: JSON.parse(machines) as Scenario, speed, control: true };
}
