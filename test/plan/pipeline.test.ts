import assert from "node:assert/strict";
import { detectPipeline } from "../../provider/plan/pipeline";

describe("the pipeline of a run", () => {
  const table: readonly [string, Record<string, string>, ReturnType<typeof detectPipeline>][] = [
    ["somebody's terminal", { USER: "ada" }, undefined],
    [
      "GitHub Actions",
      {
        GITHUB_ACTIONS: "true",
        GITHUB_SERVER_URL: "https://github.example.com",
        GITHUB_REPOSITORY: "shop/recovery",
        GITHUB_RUN_ID: "77",
        GITHUB_RUN_ATTEMPT: "2",
        GITHUB_SHA: "abc",
        GITHUB_REF: "refs/heads/main",
        GITHUB_ACTOR: "ada",
      },
      {
        name: "GitHub Actions",
        url: "https://github.example.com/shop/recovery/actions/runs/77",
        run: "77 attempt 2",
        commit: "abc",
        ref: "refs/heads/main",
        actor: "ada",
      },
    ],
    ["GitHub Actions without the rest", { GITHUB_ACTIONS: "true" }, { name: "GitHub Actions" }],
    [
      "GitLab CI",
      {
        GITLAB_CI: "true",
        CI_JOB_URL: "https://gitlab.example.com/-/jobs/5",
        CI_PIPELINE_ID: "9",
        CI_COMMIT_SHA: "abc",
        CI_COMMIT_REF_NAME: "main",
        GITLAB_USER_LOGIN: "ada",
      },
      {
        name: "GitLab CI",
        url: "https://gitlab.example.com/-/jobs/5",
        run: "9",
        commit: "abc",
        ref: "main",
        actor: "ada",
      },
    ],
    [
      "Azure Pipelines",
      {
        TF_BUILD: "True",
        SYSTEM_COLLECTIONURI: "https://dev.azure.com/shop/",
        SYSTEM_TEAMPROJECT: "the shop",
        BUILD_BUILDID: "3",
        BUILD_BUILDNUMBER: "20261120.1",
        BUILD_SOURCEVERSION: "abc",
        BUILD_SOURCEBRANCH: "refs/heads/main",
        BUILD_REQUESTEDFOR: "Ada",
      },
      {
        name: "Azure Pipelines",
        url: "https://dev.azure.com/shop/the%20shop/_build/results?buildId=3",
        run: "20261120.1",
        commit: "abc",
        ref: "refs/heads/main",
        actor: "Ada",
      },
    ],
    [
      "Jenkins",
      {
        JENKINS_URL: "https://ci.example.com/",
        BUILD_URL: "https://ci.example.com/job/drill/4/",
        JOB_NAME: "drill",
        BUILD_NUMBER: "4",
        GIT_COMMIT: "abc",
        GIT_BRANCH: "main",
      },
      { name: "Jenkins", url: "https://ci.example.com/job/drill/4/", run: "drill #4", commit: "abc", ref: "main" },
    ],
    [
      "a token in an address",
      { GITLAB_CI: "true", CI_JOB_URL: "https://ci:hunter2@gitlab.example.com/-/jobs/5" },
      { name: "GitLab CI", url: "https://[secret]@gitlab.example.com/-/jobs/5" },
    ],
  ];
  for (const [what, env, expected] of table) {
    it(`is detected: ${what}`, () => assert.deepEqual(detectPipeline(env), expected));
  }
});
