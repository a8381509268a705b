import { maskLikelySecrets } from "../panel/mask";
import type { StoredPipeline } from "./stored";

type Environment = Readonly<Record<string, string | undefined>>;

interface PipelineKind {
  readonly name: string;
  readonly isHere: (env: Environment) => boolean;
  readonly tell: (env: Environment) => Omit<StoredPipeline, "name">;
}

/** Widespread pipelines, by the variables that they set by themselves. */
const kinds: readonly PipelineKind[] = [
  {
    name: "GitHub Actions",
    isHere: (env) => env["GITHUB_ACTIONS"] === "true",
    tell: (env) => ({
      ...text("url", joined(env, ["GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_RUN_ID"], "/", "/actions/runs/")),
      ...text("run", joined(env, ["GITHUB_RUN_ID", "GITHUB_RUN_ATTEMPT"], " attempt ")),
      ...text("commit", env["GITHUB_SHA"]),
      ...text("ref", env["GITHUB_REF"]),
      ...text("actor", env["GITHUB_TRIGGERING_ACTOR"] ?? env["GITHUB_ACTOR"]),
    }),
  },
  {
    name: "GitLab CI",
    isHere: (env) => env["GITLAB_CI"] === "true",
    tell: (env) => ({
      ...text("url", env["CI_JOB_URL"] ?? env["CI_PIPELINE_URL"]),
      ...text("run", env["CI_PIPELINE_ID"]),
      ...text("commit", env["CI_COMMIT_SHA"]),
      ...text("ref", env["CI_COMMIT_REF_NAME"]),
      ...text("actor", env["GITLAB_USER_LOGIN"]),
    }),
  },
  {
    name: "Azure Pipelines",
    isHere: (env) => env["TF_BUILD"]?.toLowerCase() === "true",
    tell: (env) => {
      const project = env["SYSTEM_TEAMPROJECT"];
      const address = env["SYSTEM_COLLECTIONURI"] ?? env["SYSTEM_TEAMFOUNDATIONCOLLECTIONURI"];
      const build = env["BUILD_BUILDID"];
      const isKnown = project !== undefined && address !== undefined && build !== undefined;
      return {
        ...text(
          "url",
          isKnown ? `${address}${encodeURIComponent(project)}/_build/results?buildId=${build}` : undefined,
        ),
        ...text("run", env["BUILD_BUILDNUMBER"] ?? build),
        ...text("commit", env["BUILD_SOURCEVERSION"]),
        ...text("ref", env["BUILD_SOURCEBRANCH"]),
        ...text("actor", env["BUILD_REQUESTEDFOR"]),
      };
    },
  },
  {
    name: "Jenkins",
    isHere: (env) => (env["JENKINS_URL"] ?? "") !== "",
    tell: (env) => ({
      ...text("url", env["BUILD_URL"]),
      ...text("run", joined(env, ["JOB_NAME", "BUILD_NUMBER"], " #")),
      ...text("commit", env["GIT_COMMIT"]),
      ...text("ref", env["GIT_BRANCH"] ?? env["BRANCH_NAME"]),
      ...text("actor", env["BUILD_USER_ID"]),
    }),
  },
];

/** Which pipeline this run belongs to, as its environment tells; undefined at somebody's own terminal. */
export function pipelineOf(env: Environment): StoredPipeline | undefined {
  const kind = kinds.find(({ isHere }) => isHere(env));
  return kind && { name: kind.name, ...kind.tell(env) };
}

const longest = 500;

/** A variable may be anything, an address with a token included. */
function text<Key extends string>(key: Key, value: string | undefined): { readonly [K in Key]?: string } {
  const shown = value?.trim() ?? "";
  return (shown === "" ? {} : { [key]: maskLikelySecrets(shown).slice(0, longest) }) as {
    readonly [K in Key]?: string;
  };
}

/** The values of the variables one after the other, up to the first that is not set; nothing when that is the very first. */
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
