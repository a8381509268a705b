import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as ts from "typescript";

/** One property of an interface, or one declared field of a class, with its comment. */
export interface Member {
  readonly name: string;
  /** The type without `pulumi.Input`, `pulumi.Output` and `undefined`. */
  readonly type: string;
  /** True if the member may be absent or undefined. */
  readonly optional: boolean;
  /** The text of the comment's `@default`. */
  readonly defaultText: string | undefined;
  readonly comment: Comment;
}

/** A doc comment without its tags and code blocks. */
export interface Comment {
  /** The first sentence, for a table's cell. */
  readonly first: string;
  /** The other sentences: paragraphs, each on one line, and lists. */
  readonly rest: string;
  readonly whole: string;
}

/** The members of a declaration that a file contains or imports, inherited members first. SDK classes are left out. */
export function membersOf(file: string, name: string): readonly Member[] {
  const source = parse(file);
  const found = declarationIn(source, name);
  if (!found) {
    const elsewhere = importedFrom(source, name);
    if (elsewhere === undefined) throw new Error(`${file} has no ${name}`);
    return membersOf(elsewhere, name);
  }
  const inherited = (found.heritageClauses ?? [])
    .flatMap((clause) => clause.types)
    .flatMap((type) => inheritedFrom(source, type));
  const own = [...found.members].filter(isField).map((member) => memberFrom(source, member));
  return [...inherited, ...own];
}

/** The comment of an interface, a class, or a function. */
export function commentOf(file: string, name: string): Comment {
  const source = parse(file);
  const found =
    declarationIn(source, name) ??
    source.statements.find((one) => ts.isFunctionDeclaration(one) && one.name?.text === name);
  const comment = found && ts.getJSDocCommentsAndTags(found).find(ts.isJSDoc);
  if (!comment) throw new Error(`${file}: ${name} has no comment`);
  return split(textOf(comment.comment));
}

function declarationIn(source: ts.SourceFile, name: string): ts.InterfaceDeclaration | ts.ClassDeclaration | undefined {
  return source.statements.find(
    (one): one is ts.InterfaceDeclaration | ts.ClassDeclaration =>
      (ts.isInterfaceDeclaration(one) || ts.isClassDeclaration(one)) && one.name?.text === name,
  );
}

type Field = ts.PropertySignature | ts.PropertyDeclaration;

function isField(member: ts.TypeElement | ts.ClassElement): member is Field {
  if (ts.isPropertyDeclaration(member)) return (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static) === 0;
  return ts.isPropertySignature(member);
}

function inheritedFrom(source: ts.SourceFile, type: ts.ExpressionWithTypeArguments): readonly Member[] {
  const name = type.expression.getText();
  if (name.startsWith("pulumi.")) return [];
  const [of, without] = type.typeArguments ?? [];
  if (name === "Omit" && of && without && ts.isTypeReferenceNode(of)) {
    const omitted = new Set(without.getText().match(/\w+/g));
    return membersOf(source.fileName, of.typeName.getText()).filter((member) => !omitted.has(member.name));
  }
  return membersOf(source.fileName, name);
}

/** The file of this package that a name is imported from. */
function importedFrom(source: ts.SourceFile, name: string): string | undefined {
  const from = source.statements
    .filter(ts.isImportDeclaration)
    .find((one) => new RegExp(`\\b${name}\\b`).test(one.importClause?.getText() ?? ""));
  if (!from || !ts.isStringLiteral(from.moduleSpecifier) || !from.moduleSpecifier.text.startsWith("."))
    return undefined;
  return `${join(dirname(source.fileName), from.moduleSpecifier.text)}.ts`;
}

/** The literals that a union's name stands for, so that the tables show the actual words. */
function literalsNamed(source: ts.SourceFile, name: string): string | undefined {
  const alias = source.statements.find((one) => ts.isTypeAliasDeclaration(one) && one.name.text === name);
  if (alias && ts.isTypeAliasDeclaration(alias)) {
    const text = alias.type.getText().replace("(string & {})", "string");
    return text.includes('"') ? text : undefined;
  }
  const file = importedFrom(source, name);
  return file === undefined ? undefined : literalsNamed(parse(file), name);
}

function parse(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
}

function memberFrom(source: ts.SourceFile, member: Field): Member {
  const written = member.type?.getText() ?? "";
  const comment = ts.getJSDocCommentsAndTags(member).find(ts.isJSDoc);
  const defaultTag = comment?.tags?.find((tag) => tag.tagName.text === "default");
  const name = member.name.getText();
  if (!comment) throw new Error(`${name} has no comment`);
  return {
    name,
    type: literalsNamed(source, bareType(written)) ?? bareType(written),
    optional: member.questionToken !== undefined || written.includes("undefined"),
    defaultText: defaultTag && textOf(defaultTag.comment).trim().replace(/\s+/g, " "),
    comment: split(textOf(comment.comment)),
  };
}

/** The type that a program writes: `string[]` for `pulumi.Input<readonly pulumi.Input<string>[] | undefined>`. */
function bareType(written: string): string {
  let type = written.replace(/\s+/g, " ");
  for (let before = ""; before !== type;) {
    before = type;
    // The argument may itself have arguments, as in `pulumi.Input<Record<string, string> | undefined>`.
    type = type.replace(/pulumi\.(?:Input|Output)<((?:[^<>]|<(?:[^<>]|<[^<>]*>)*>)*)>/g, (_whole, inner: string) =>
      inner.trim(),
    );
  }
  return type
    .replace(/\s*\|\s*undefined/g, "")
    .replace(/\breadonly /g, "")
    .replace(/\bunknown\[\]/g, "any[]");
}

function textOf(comment: string | ts.NodeArray<ts.JSDocComment> | undefined): string {
  if (typeof comment === "string") return comment;
  return (comment ?? [])
    .map((part) => (ts.isJSDocLink(part) ? `\`${part.name?.getText() ?? part.text}\`` : part.text))
    .join("");
}

/** Splits text after the first sentence. */
function split(text: string): Comment {
  const whole = unwrapped(text);
  const first = /^(?:`[^`]*`|[^`])*?[.?!](?=\s|$)/.exec(whole)?.[0] ?? whole;
  return { first, rest: whole.slice(first.length).trim(), whole };
}

/** The text without code blocks, with each paragraph and list entry on one line. */
function unwrapped(text: string): string {
  return text
    .replace(/^```[\s\S]*?^```$/gm, "")
    .trim()
    .split(/\n{2,}/)
    .map((block) => block.replace(/\n(?!- )\s*/g, " "))
    .join("\n\n");
}
