"use strict";
// Pulumi starts this file for programs in other languages: docs/other-languages.md.
const { servePlugin } = require("../dist/provider/plugin");

void servePlugin({ folder: __dirname });
