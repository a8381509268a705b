import { maskLikelySecrets } from "../../provider/panel/mask";

type Environment = Readonly<Record<string, string | undefined>>;

interface PipelineKind {
  readonly name: string;
  readonly isActive: (env: Environment) => boolean;
  /** The first text whose variables are all set counts. */
  readonly details: Readonly<Record<"url" | "run" | "commit" | "ref" | "actor", readonly string[]>>;
}

/** Common pipelines, recognized by the variables that they set. */
const kinds: readonly PipelineKind[] = [
  {
    name: "GitHub Actions",
    isActive: (env) => env["GITHUB_ACTIONS"] === "true",
    details: {
      url: ["{GITHUB_SERVER_URL}/{GITHUB_REPOSITORY}/actions/runs/{GITHUB_RUN_ID}"],
      run: ["{GITHUB_RUN_ID} attempt {GITHUB_RUN_ATTEMPT}", "{GITHUB_RUN_ID}"],
      commit: ["{GITHUB_SHA}"],
      ref: ["{GITHUB_REF}"],
      actor: ["{GITHUB_TRIGGERING_ACTOR}", "{GITHUB_ACTOR}"],
    },
  },
  {
    name: "GitLab CI",
    isActive: (env) => env["GITLAB_CI"] === "true",
    details: {
      url: ["{CI_JOB_URL}", "{CI_PIPELINE_URL}"],
      run: ["{CI_PIPELINE_ID}"],
      commit: ["{CI_COMMIT_SHA}"],
      ref: ["{CI_COMMIT_REF_NAME}"],
      actor: ["{GITLAB_USER_LOGIN}"],
    },
  },
  {
    name: "Azure Pipelines",
    isActive: (env) => env["TF_BUILD"]?.toLowerCase() === "true",
    details: {
      url: ["{SYSTEM_COLLECTIONURI}{SYSTEM_TEAMPROJECT}/_build/results?buildId={BUILD_BUILDID}"],
      run: ["{BUILD_BUILDNUMBER}", "{BUILD_BUILDID}"],
      commit: ["{BUILD_SOURCEVERSION}"],
      ref: ["{BUILD_SOURCEBRANCH}"],
      actor: ["{BUILD_REQUESTEDFOR}"],
    },
  },
  {
    name: "Jenkins",
    isActive: (env) => (env["JENKINS_URL"] ?? "") !== "",
    details: {
      url: ["{BUILD_URL}"],
      run: ["{JOB_NAME} #{BUILD_NUMBER}", "{JOB_NAME}"],
      commit: ["{GIT_COMMIT}"],
      ref: ["{GIT_BRANCH}"],
      actor: ["{BUILD_USER_ID}"],
    },
  },
];

const maxLength = 500;

/** The pipeline that this process runs in; undefined at somebody's own terminal. */
export function detectPipeline(env: Environment): Readonly<Record<string, string>> | undefined {
  const kind = kinds.find(({ isActive }) => isActive(env));
  if (kind === undefined) return undefined;
  const details = Object.entries(kind.details).flatMap(([detail, texts]) => {
    const text = texts.map((one) => filled(one, env)).find((one) => one !== undefined);
    // A variable may contain anything, even an address with a token.
    return text === undefined ? [] : [[detail, maskLikelySecrets(text).slice(0, maxLength)]];
  });
  return { name: kind.name, ...(Object.fromEntries(details) as Readonly<Record<string, string>>) };
}

/** Only a project's name may have spaces. */
function filled(text: string, env: Environment): string | undefined {
  const values = [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, env[name]?.trim() ?? ""] as const);
  if (values.some(([, value]) => value === "")) return undefined;
  const shown = (name: string, value: string) => (name === "SYSTEM_TEAMPROJECT" ? encodeURIComponent(value) : value);
  return values.reduce((all, [name, value]) => all.replace(`{${name}}`, () => shown(name, value)), text);
}
