/**
 * The commands that tests and tools drive and that can be built from their Go modules where they are not to be had otherwise.
 * Each is pinned by a `go.mod` and a `go.sum` of its own, because they do not agree on the versions of what they share.
 *
 * @typedef {object} GoCommand
 * @property {string} what for people
 * @property {string} takes how long it takes to build, on two cores
 * @property {string} pinnedIn the folder with its `go.mod`, from the repository's root
 * @property {string} module whose version is the command's
 * @property {string} package
 * @property {string} [source] its own source, in the folder with `go.mod`; where it differs another one is kept
 * @property {string} binary without `.exe`
 * @property {string} keptAs folder in the cache; below it one per version
 * @property {readonly string[]} tryOut arguments with which it ends at once and well, when it runs at all
 * @property {string} [versionVariable] is told the version when it is built; the command then says it when it is tried out
 * @property {boolean} [launches] starts dynamic resources, and needs the launcher beside it
 */

const pulumi = /** @satisfies {Partial<GoCommand>} */ ({
  module: "github.com/pulumi/pulumi/pkg/v3",
  package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
  binary: "pulumi",
  keptAs: "cli",
  takes: "about ten minutes",
  tryOut: ["version"],
  launches: true,
});

/** @satisfies {Record<string, GoCommand>} */
export const goCommands = {
  /** What everything runs on, unless a newer one is installed. */
  cli: {
    ...pulumi,
    what: "the Pulumi CLI",
    pinnedIn: "tools",
    versionVariable: "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version",
  },
  /** The oldest one that is supported, for the long tests. */
  oldestCli: {
    ...pulumi,
    what: "the oldest Pulumi CLI",
    pinnedIn: "tools/go/oldest-cli",
    versionVariable: "github.com/pulumi/pulumi/pkg/v3/version.Version",
  },
  yamlHost: {
    what: "Pulumi's YAML host",
    takes: "a few minutes",
    pinnedIn: "tools/go/yaml-host",
    module: "github.com/pulumi/pulumi-yaml",
    package: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
    binary: "pulumi-language-yaml",
    keptAs: "yaml-host",
    tryOut: ["-help"],
  },
  /** Makes the packages for other languages; its own source is in the folder. */
  sdkGenerator: {
    what: "the generator of packages for other languages",
    takes: "a few minutes",
    pinnedIn: "tools/go/sdks",
    module: "github.com/pulumi/pulumi/pkg/v3",
    package: ".",
    source: "main.go",
    binary: "recovery-sdks",
    keptAs: "sdks",
    tryOut: ["-help"],
  },
  /** A store that speaks S3 and checks signatures, for the long tests. */
  s3Server: {
    what: "the S3 server",
    takes: "a few minutes",
    pinnedIn: "tools/go/s3-server",
    module: "github.com/versity/versitygw",
    package: "github.com/versity/versitygw/cmd/versitygw",
    binary: "versitygw",
    keptAs: "s3-server",
    tryOut: ["--help"],
  },
};
