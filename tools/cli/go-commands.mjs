/**
 * Commands for tests and tools that can be built from their Go modules. Those that need other versions of
 * shared modules than the CLI have a `go.mod` and `go.sum` of their own.
 *
 * @typedef {object} GoCommand
 * @property {string} what its name for people
 * @property {string} takes how long it takes to build, on two cores
 * @property {string} pinnedIn the folder with its `go.mod`, from the repository's root
 * @property {string} module whose version is the command's
 * @property {string} package
 * @property {string} [source] its own source, in the folder with `go.mod`; each version of it is kept apart
 * @property {string} binary without `.exe`
 * @property {string} keptAs folder in the cache; below it one per version
 * @property {readonly string[]} tryOut arguments with which it succeeds at once, if it runs at all
 * @property {string} [versionVariable] set to the version at the build; the command prints it when it is tried out
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
  /** The CLI of everything, unless a newer one is installed. */
  cli: {
    ...pulumi,
    what: "the Pulumi CLI",
    pinnedIn: "tools",
    versionVariable: "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version",
  },
  /** The oldest supported CLI, for the long tests. */
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
  /** Generates the packages for other languages. Its source is in the folder. */
  sdkGenerator: {
    what: "the generator of packages for other languages",
    takes: "a few minutes",
    pinnedIn: "tools",
    module: pulumi.module,
    package: "./go/sdks",
    source: "go/sdks/main.go",
    binary: "recovery-sdks",
    keptAs: "sdks",
    tryOut: ["-help"],
  },
};
