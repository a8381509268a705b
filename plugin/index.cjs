"use strict";
// Pulumi runs this file for programs in other languages: see docs/other-languages.md.
const { servePlugin } = require("../dist/provider/plugin");

void servePlugin({ folder: __dirname });
