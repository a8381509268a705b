import eslint from "@eslint/js";
import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

const fieldName =
  "/^((virtual_?(machine|server)|vm|recovery_?point)(_id|_type)?|(parent|chain|dependent_?transaction)_(id|type)|(created|updated|started|finished|completed|ended)_at|start_after)$/";
const statusWord =
  "/^(queued|submitted|in[_ ]progress|processing|succeeded|successful|errored|rejected|unsuccessful|canceled)$/i";

const noEnum = { selector: "TSEnumDeclaration", message: "Use a union of literals." };
const noSentence = {
  selector: "Literal[regex.pattern=/[a-z]{2,} [a-z]{2,}/]",
  message: "Do not read our own sentence back: store what it says beside it.",
};
const mostChanging = 4;

/**
 * Functions inside functions that share more variables than a reader keeps in mind.
 *
 * @type {import("eslint").Rule.RuleModule}
 */
const closures = {
  create: (context) => {
    /** @param {import("eslint").Rule.Node} node */
    const check = (node) => {
      const outer = context.sourceCode.scopeManager.acquire(node)?.through ?? [];
      const names = new Set();
      for (const { resolved } of outer)
        if (resolved && !/module|global/.test(resolved.scope.type))
          for (const { parent } of resolved.defs)
            if (parent?.type === "VariableDeclaration" && parent.kind === "let") names.add(resolved.name);
      if (names.size > mostChanging) context.report({ node, message: `Closure over ${[...names].join(", ")}.` });
    };
    return { ArrowFunctionExpression: check, FunctionExpression: check, FunctionDeclaration: check };
  },
};

/** Shapes that readers stumble over. */
const plain = [
  noEnum,
  noSentence,
  {
    selector:
      "CallExpression[callee.property.name='flatMap'] > ArrowFunctionExpression > LogicalExpression[operator='??']:has(> ArrayExpression.right[elements.length=0])",
    message: "Use map and filter: flatMap is for lists.",
  },
  {
    selector:
      "SpreadElement > LogicalExpression[operator='&&'][left.operator='!=='][left.right.name='undefined'] > ObjectExpression[properties.length=1] > Property[shorthand=true]",
    message: "Use omitUndefined of provider/plain/plain.ts.",
  },
];

/** What panels call things is known in one table. */
const oneTable = [
  {
    selector: `Literal[value=${fieldName}], TemplateElement[value.raw=${fieldName}]`,
    message: "A field's name belongs in provider/panel/conventions.ts.",
  },
  {
    selector: `Literal[value=${statusWord}], TemplateElement[value.raw=${statusWord}]`,
    message: "A panel's word for a state belongs in provider/panel/conventions.ts.",
  },
];

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
    plugins: { own: { rules: { closures } } },
    rules: {
      "own/closures": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      // The compiler knows better what is defined.
      "no-undef": "off",
      // Without enums, what the rules about them look for at each assignment is not there.
      "no-restricted-syntax": ["error", ...plain],
      "@typescript-eslint/no-unsafe-enum-assignment": "off",
      "@typescript-eslint/no-unsafe-enum-comparison": "off",
      eqeqeq: "error",
      "no-duplicate-imports": "error",
      "@typescript-eslint/naming-convention": ["error", { selector: "typeLike", format: ["PascalCase"] }],
      "no-console": "error",
    },
  },
  {
    // What panels call their fields and their states is known in one table, provider/panel/conventions.ts; facts.ts reads a row by it.
    files: [
      ...["rows", "restore", "feed", "engine", "points"].map((room) => `provider/${room}/**/*.ts`),
      ...["provider/panel/facts.ts", "provider/panel/fields.ts", "drills/**/*.ts", "cli/**/*.ts"],
    ],
    rules: { "no-restricted-syntax": ["error", ...plain, ...oneTable] },
  },
  {
    // One loop reads the list: provider/restore/carry-out.ts.
    files: ["provider/restore/**/*.ts", "drills/**/*.ts"],
    // A failed read means nothing: tryRead says so to the loop.
    ignores: ["provider/restore/session.ts"],
    rules: {
      "no-restricted-properties": [
        "error",
        ...["read", "readSurely"].map((property) => ({
          object: "feed",
          property,
          message: "The loop of provider/restore/carry-out.ts reads.",
        })),
      ],
    },
  },
  {
    files: ["**/*.ts"],
    // Suites of tests are long lists of cases.
    ignores: ["test/**"],
    rules: { "max-lines-per-function": ["error", { max: 60 }] },
  },
  {
    // Tests name what they expect to be there; the programs they run print.
    files: ["test/**/*.ts"],
    rules: {
      "no-restricted-syntax": ["error", noEnum],
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
