import { maskLikelySecrets } from "../../provider/panel/mask";

type Environment = Readonly<Record<string, string | undefined>>;

/** Known pipelines, each recognized by a variable, with the address of a run. */
const kinds: readonly (readonly [name: string, variable: string, address: string])[] = [
  ["GitHub Actions", "GITHUB_ACTIONS", "{GITHUB_SERVER_URL}/{GITHUB_REPOSITORY}/actions/runs/{GITHUB_RUN_ID}"],
  ["GitLab CI", "GITLAB_CI", "{CI_JOB_URL}"],
  ["Azure Pipelines", "TF_BUILD", "{SYSTEM_COLLECTIONURI}{SYSTEM_TEAMPROJECT}/_build/results?buildId={BUILD_BUILDID}"],
  ["Jenkins", "JENKINS_URL", "{BUILD_URL}"],
];

const maxLength = 500;

/** The pipeline that this process runs in, and the address of its run; undefined outside a pipeline. */
export function detectPipeline(env: Environment): { readonly name: string; readonly url?: string } | undefined {
  const kind = kinds.find(([, variable]) => !["", "false"].includes(env[variable]?.toLowerCase() ?? ""));
  if (kind === undefined) return undefined;
  const [name, , address] = kind;
  const url = address.replaceAll(/\{(\w+)\}/g, (unset, variable: string) => env[variable]?.trim() || unset);
  if (url.includes("{")) return { name };
  // A project's name may contain spaces. A variable may contain anything, even an address with a token.
  return { name, url: maskLikelySecrets(url.replaceAll(" ", "%20")).slice(0, maxLength) };
}
