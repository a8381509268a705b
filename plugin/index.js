"use strict";
// What Pulumi starts for programs in other languages: docs/other-languages.md.
const { servePlugin } = require("../dist/provider/plugin");

void servePlugin({ schema: require("./schema.json"), version: require("../package.json").version });
