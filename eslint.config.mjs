import eslint from "@eslint/js";
import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

export default defineConfig(
  { ignores: ["dist/", "coverage/", "node_modules/", ".*-half-made-*/"] },
  eslint.configs.recommended,
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: ["tsconfig.json"],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      // The compiler knows better what is defined.
      "no-undef": "off",
      // Without enums, what the rules about them look for at each assignment is not there.
      "no-restricted-syntax": ["error", { selector: "TSEnumDeclaration", message: "Use a union of literals." }],
      "@typescript-eslint/no-unsafe-enum-assignment": "off",
      "@typescript-eslint/no-unsafe-enum-comparison": "off",
      eqeqeq: "error",
      "no-duplicate-imports": "error",
      "@typescript-eslint/naming-convention": ["error", { selector: "typeLike", format: ["PascalCase"] }],
      "no-console": "error",
    },
  },
  {
    // Tests name what they expect to be there; the programs they run print.
    files: ["test/**/*.ts"],
    rules: {
      "@typescript-eslint/no-non-null-assertion": "off",
      "@typescript-eslint/no-confusing-void-expression": "off",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      // A flag that a callback sets while the test waits looks constant to the rule.
      "@typescript-eslint/no-unnecessary-condition": "off",
    },
  },
  {
    // A test of a program loads it anew, once for each case.
    files: ["examples/**/*.test.ts"],
    rules: {
      "@typescript-eslint/consistent-type-imports": ["error", { disallowTypeAnnotations: false }],
      "@typescript-eslint/no-dynamic-delete": "off",
      "@typescript-eslint/no-require-imports": "off",
    },
  },
  {
    files: ["tools/**", "bench/**", "docs/**"],
    rules: { "no-console": "off" },
  },
  {
    // A cast in a comment is not seen by rules that look at the expression below it; the compiler sees it.
    files: ["**/*.mjs", "**/*.cjs"],
    rules: {
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-return": "off",
    },
  },
  {
    files: ["**/*.cjs"],
    languageOptions: { sourceType: "commonjs" },
    rules: { "@typescript-eslint/no-require-imports": "off" },
  },
);
