/** This project's own lint rules, in ESLint's format. They find code that is hard to read, and code that belongs in one particular place. */

const fieldName =
  "/^((virtual_?(machine|server)|vm|recovery_?point)(_id|_type)?|(parent|chain|dependent_?transaction)_(id|type)|(created|updated|started|finished|completed|ended)_at|start_after)$/";
const statusWord =
  "/^(queued|submitted|in[_ ]progress|processing|succeeded|successful|errored|rejected|unsuccessful|canceled)$/i";
const mostChanging = 4;

/**
 * The parts of a rule's arguments that these rules use.
 *
 * @typedef {{ name: string, scope: { type: string }, defs: { parent: { type: string, kind?: string } | null }[] }} Variable
 * @typedef {{ acquire(node: unknown): { through: { resolved: Variable | null }[] } | null }} Scopes
 * @typedef {{ sourceCode: { scopeManager: Scopes }, report(problem: { node: unknown, message: string }): void }} Context
 */

/** A rule that reports every node that matches one of the selectors, with that selector's message. */
const restricted = (/** @type {Readonly<Record<string, string>>} */ messages) => ({
  create: (/** @type {Context} */ context) =>
    Object.fromEntries(
      Object.entries(messages).map(([selector, message]) => [
        selector,
        (/** @type {unknown} */ node) => {
          context.report({ node, message });
        },
      ]),
    ),
});

/** Reports nested functions that share more changing variables than a reader can keep in mind. */
const closures = {
  create: (/** @type {Context} */ context) => {
    const check = (/** @type {unknown} */ node) => {
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

export default {
  meta: { name: "own" },
  rules: {
    closures,
    "type-names": restricted({
      ":matches(TSTypeAliasDeclaration, TSInterfaceDeclaration, ClassDeclaration)[id.name=/^[^A-Z]|_/]":
        "Names of types are in PascalCase.",
    }),
    "no-enum": restricted({ TSEnumDeclaration: "Use a union of literals." }),
    plain: restricted({
      "Literal[regex.pattern=/[a-z]{2,} [a-z]{2,}/]": "Do not parse our own sentences: store their facts separately.",
      "CallExpression[callee.property.name='flatMap'] > ArrowFunctionExpression > LogicalExpression[operator='??']:has(> ArrayExpression.right[elements.length=0])":
        "Use map and filter: flatMap is for lists.",
      "SpreadElement > LogicalExpression[operator='&&'][left.operator='!=='][left.right.name='undefined'] > ObjectExpression[properties.length=1] > Property[shorthand=true]":
        "Use omitUndefined from provider/plain/plain.ts.",
    }),
    "one-table": restricted({
      [`Literal[value=${fieldName}], TemplateElement[value.raw=${fieldName}]`]:
        "A field's name belongs in provider/panel/conventions.ts.",
      [`Literal[value=${statusWord}], TemplateElement[value.raw=${statusWord}]`]:
        "A panel's word for a state belongs in provider/panel/conventions.ts.",
    }),
  },
};
