import assert from "node:assert/strict";
import { detectPipeline } from "../../../drills/engine/pipeline";

describe("a run's pipeline", () => {
  const github = { GITHUB_ACTIONS: "true", GITHUB_RUN_ID: "7", GITHUB_SERVER_URL: "https://github.com" };
  const azure = {
    TF_BUILD: "True",
    SYSTEM_COLLECTIONURI: "https://dev.azure.com/a/",
    SYSTEM_TEAMPROJECT: "$& b",
    BUILD_BUILDID: "7",
  };
  const cases: readonly (readonly [Readonly<Record<string, string>>, name?: string, url?: string])[] = [
    [{ GITHUB_ACTIONS: "false", JENKINS_URL: "" }],
    [github, "GitHub Actions"],
    [{ ...github, GITHUB_REPOSITORY: " a/b " }, "GitHub Actions", "https://github.com/a/b/actions/runs/7"],
    [{ GITLAB_CI: "true", CI_JOB_URL: "https://gitlab.com/1" }, "GitLab CI", "https://gitlab.com/1"],
    [azure, "Azure Pipelines", "https://dev.azure.com/a/$&%20b/_build/results?buildId=7"],
    [{ JENKINS_URL: "https://ci" }, "Jenkins"],
  ];
  it("is recognized by its environment variables, and gets a link if the variables for every part of the link are set", () => {
    for (const [env, ...expected] of cases) assert.deepEqual(Object.values(detectPipeline(env) ?? {}), expected);
  });
});
