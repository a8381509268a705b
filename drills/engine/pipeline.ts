import { maskLikelySecrets } from "../../provider/panel/mask";

type Environment = Readonly<Record<string, string | undefined>>;

/** Known pipelines, each recognized by a variable. Of the addresses listed, the first with all variables set is the run's address. */
const kinds: readonly (readonly [name: string, variable: string, ...addresses: string[]])[] = [
  ["GitHub Actions", "GITHUB_ACTIONS", "{GITHUB_SERVER_URL}/{GITHUB_REPOSITORY}/actions/runs/{GITHUB_RUN_ID}"],
  ["GitLab CI", "GITLAB_CI", "{CI_JOB_URL}", "{CI_PIPELINE_URL}"],
  ["Azure Pipelines", "TF_BUILD", "{SYSTEM_COLLECTIONURI}{SYSTEM_TEAMPROJECT}/_build/results?buildId={BUILD_BUILDID}"],
  ["Jenkins", "JENKINS_URL", "{BUILD_URL}"],
];

const maxLength = 500;

/** The pipeline that this process runs in, and the address of its run; undefined outside a pipeline. */
export function detectPipeline(env: Environment): { readonly name: string; readonly url?: string } | undefined {
  const kind = kinds.find(([, variable]) => !["", "false"].includes(env[variable]?.toLowerCase() ?? ""));
  if (kind === undefined) return undefined;
  const [name, , ...addresses] = kind;
  const url = addresses.map((one) => filled(one, env)).find((one) => one !== undefined);
  // A variable may contain anything, even an address with a token.
  return url === undefined ? { name } : { name, url: maskLikelySecrets(url).slice(0, maxLength) };
}

/** Of these variables, only the project's name may contain spaces. */
function filled(text: string, env: Environment): string | undefined {
  const values = [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, env[name]?.trim() ?? ""] as const);
  if (values.some(([, value]) => value === "")) return undefined;
  const shown = (name: string, value: string) => (name === "SYSTEM_TEAMPROJECT" ? encodeURIComponent(value) : value);
  return values.reduce((all, [name, value]) => all.replace(`{${name}}`, () => shown(name, value)), text);
}
