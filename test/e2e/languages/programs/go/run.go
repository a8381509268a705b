// Runs a Go program on the engine, in this process, through the language host in Pulumi's own Automation API.
//
//	run <operation> <stack>
//
// Runs the program `restore` from the file next to this one, in a working folder with a Pulumi.yaml, and prints the result as JSON.
package main

import (
	"context"
	"encoding/json"
	"os"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/auto"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optpreview"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optup"
)

type ended struct {
	Changes any            `json:"changes"`
	Error   *string        `json:"error"`
	Outputs map[string]any `json:"outputs"`
	Said    string         `json:"said"`
}

func main() {
	result, err := run(context.Background(), os.Args[1], os.Args[2])
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(result)
	}
	if err != nil {
		panic(err)
	}
}

func run(ctx context.Context, operation, stackName string) (*ended, error) {
	workspace, err := auto.NewLocalWorkspace(ctx, auto.WorkDir("."), auto.Program(restore))
	if err != nil {
		return nil, err
	}
	stack, err := auto.SelectStack(ctx, stackName, workspace)
	if err != nil {
		return nil, err
	}
	var said strings.Builder
	result := &ended{Outputs: map[string]any{}}
	if operation == "preview" {
		preview, failed := stack.Preview(ctx, optpreview.ProgressStreams(&said))
		result.Changes, err = preview.ChangeSummary, failed
	} else {
		up, failed := stack.Up(ctx, optup.ProgressStreams(&said))
		result.Changes, err = up.Summary.ResourceChanges, failed
	}
	if err != nil {
		text := err.Error()
		result.Error = &text
	}
	outputs, err := stack.Outputs(ctx)
	for name, output := range outputs {
		result.Outputs[name] = output.Value
	}
	result.Said = said.String()
	return result, err
}
