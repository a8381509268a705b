import { maskLikelySecrets } from "../../provider/panel/mask";

/** The pipeline that made a run. */
interface Pipeline {
  readonly name: string;
  readonly url?: string;
  readonly run?: string;
  readonly commit?: string;
  readonly ref?: string;
  readonly actor?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

interface PipelineKind {
  readonly name: string;
  readonly isActive: (env: Environment) => boolean;
  readonly details: (env: Environment) => Omit<Pipeline, "name">;
}

/** Common pipelines, recognized by the variables that they set. */
const kinds: readonly PipelineKind[] = [
  {
    name: "GitHub Actions",
    isActive: (env) => env["GITHUB_ACTIONS"] === "true",
    details: (env) => ({
      ...field("url", joined(env, ["GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_RUN_ID"], "/", "/actions/runs/")),
      ...field("run", joined(env, ["GITHUB_RUN_ID", "GITHUB_RUN_ATTEMPT"], " attempt ")),
      ...field("commit", env["GITHUB_SHA"]),
      ...field("ref", env["GITHUB_REF"]),
      ...field("actor", env["GITHUB_TRIGGERING_ACTOR"] ?? env["GITHUB_ACTOR"]),
    }),
  },
  {
    name: "GitLab CI",
    isActive: (env) => env["GITLAB_CI"] === "true",
    details: (env) => ({
      ...field("url", env["CI_JOB_URL"] ?? env["CI_PIPELINE_URL"]),
      ...field("run", env["CI_PIPELINE_ID"]),
      ...field("commit", env["CI_COMMIT_SHA"]),
      ...field("ref", env["CI_COMMIT_REF_NAME"]),
      ...field("actor", env["GITLAB_USER_LOGIN"]),
    }),
  },
  {
    name: "Azure Pipelines",
    isActive: (env) => env["TF_BUILD"]?.toLowerCase() === "true",
    details: (env) => {
      const project = env["SYSTEM_TEAMPROJECT"];
      const address = env["SYSTEM_COLLECTIONURI"] ?? env["SYSTEM_TEAMFOUNDATIONCOLLECTIONURI"];
      const build = env["BUILD_BUILDID"];
      const isKnown = project !== undefined && address !== undefined && build !== undefined;
      return {
        ...field(
          "url",
          isKnown ? `${address}${encodeURIComponent(project)}/_build/results?buildId=${build}` : undefined,
        ),
        ...field("run", env["BUILD_BUILDNUMBER"] ?? build),
        ...field("commit", env["BUILD_SOURCEVERSION"]),
        ...field("ref", env["BUILD_SOURCEBRANCH"]),
        ...field("actor", env["BUILD_REQUESTEDFOR"]),
      };
    },
  },
  {
    name: "Jenkins",
    isActive: (env) => (env["JENKINS_URL"] ?? "") !== "",
    details: (env) => ({
      ...field("url", env["BUILD_URL"]),
      ...field("run", joined(env, ["JOB_NAME", "BUILD_NUMBER"], " #")),
      ...field("commit", env["GIT_COMMIT"]),
      ...field("ref", env["GIT_BRANCH"] ?? env["BRANCH_NAME"]),
      ...field("actor", env["BUILD_USER_ID"]),
    }),
  },
];

/** The pipeline that this process runs in; undefined at somebody's own terminal. */
export function detectPipeline(env: Environment): Readonly<Record<string, string>> | undefined {
  const kind = kinds.find(({ isActive }) => isActive(env));
  return kind && { name: kind.name, ...kind.details(env) };
}

const maxLength = 500;

/** Masks the value: a variable may contain anything, even an address with a token. */
function field<Key extends string>(key: Key, value: string | undefined): { readonly [K in Key]?: string } {
  const shown = value?.trim() ?? "";
  return (shown === "" ? {} : { [key]: maskLikelySecrets(shown).slice(0, maxLength) }) as {
    readonly [K in Key]?: string;
  };
}

/** The variables' values, joined up to the first that is not set; undefined when none is left. */
function joined(env: Environment, names: readonly string[], separator: string, last = separator): string | undefined {
  const values = names.map((name) => env[name] ?? "");
  const end = values.indexOf("");
  const known = end < 0 ? values : values.slice(0, end);
  if (known.length === 0 || (last !== separator && end >= 0)) return undefined;
  return known.slice(1).reduce((all, value, index) => {
    const isLast = index === values.length - 2;
    return all + (isLast ? last : separator) + value;
  }, String(known[0]));
}
