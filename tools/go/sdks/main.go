// Generates the package for each language from a schema on standard input. The language hosts that `pulumi package add` uses call the
// same generators.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

type files = map[string][]byte

const tool = "pulumi"

var generators = map[string]func(pkg *schema.Package) (files, error){
	"nodejs": func(pkg *schema.Package) (files, error) {
		return nodejs.GeneratePackage(tool, pkg, nil, nil, true, nothing{})
	},
	"python": func(pkg *schema.Package) (files, error) {
		return python.GeneratePackage(tool, pkg, nil, nothing{})
	},
	"go": func(pkg *schema.Package) (files, error) {
		return gogen.GeneratePackage(tool, pkg, nil)
	},
}

// The schema refers to no other package, so nothing is loaded.
type nothing struct{ schema.ReferenceLoader }

func main() {
	if len(os.Args) != 2 || os.Args[1] == "-help" {
		fmt.Println("usage: recovery-sdks <folder> <schema.json")
		return
	}
	if err := generate(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func generate(folder string) error {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return err
	}
	for language, generator := range generators {
		// A generator changes the package that it is given, so each gets its own.
		pkg, diagnostics, err := schema.BindSpec(spec, nothing{}, schema.ValidationOptions{})
		if err != nil {
			return err
		}
		if len(diagnostics) > 0 {
			return fmt.Errorf("the schema: %w", diagnostics)
		}
		// The CLI also sets this for `pulumi package add`.
		pkg.SupportPack = true
		made, err := generator(pkg)
		if err != nil {
			return fmt.Errorf("%s: %w", language, err)
		}
		for name, content := range made {
			path := filepath.Join(folder, language, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(path, content, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}
