import assert from "node:assert/strict";
import { detectPipeline } from "../../../drills/engine/pipeline";

describe("the pipeline of a run", () => {
  const github = { GITHUB_ACTIONS: "true", GITHUB_RUN_ID: "7", GITHUB_ACTOR: " ada ", GITHUB_SERVER_URL: "https://github.com" }; // prettier-ignore
  const azure = { TF_BUILD: "True", SYSTEM_COLLECTIONURI: "https://dev.azure.com/a/", SYSTEM_TEAMPROJECT: "$& b", BUILD_BUILDID: "7" }; // prettier-ignore
  const cases: readonly (readonly [Readonly<Record<string, string>>, object | undefined])[] = [
    [{}, undefined],
    [github, { name: "GitHub Actions", run: "7", actor: "ada" }],
    [
      { ...github, GITHUB_REPOSITORY: "a/b", GITHUB_RUN_ATTEMPT: "2", GITHUB_TRIGGERING_ACTOR: "bob" },
      { name: "GitHub Actions", url: "https://github.com/a/b/actions/runs/7", run: "7 attempt 2", actor: "bob" },
    ],
    [
      { GITLAB_CI: "true", CI_PIPELINE_URL: "https://gitlab.com/1" },
      { name: "GitLab CI", url: "https://gitlab.com/1" },
    ],
    [azure, { name: "Azure Pipelines", url: "https://dev.azure.com/a/%24%26%20b/_build/results?buildId=7", run: "7" }],
    [
      { JENKINS_URL: "https://ci", JOB_NAME: "drill" },
      { name: "Jenkins", run: "drill" },
    ],
  ];
  it("is known by its variables, and says what they are set to", () => {
    for (const [env, pipeline] of cases) assert.deepEqual(detectPipeline(env), pipeline);
  });
});
