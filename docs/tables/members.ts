import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as ts from "typescript";

/** One property of an interface, or one declared field of a class, as its declaration and its comment tell. */
export interface Member {
  readonly name: string;
  /** Without the wrappers that say it may be an output, and without `undefined`. */
  readonly type: string;
  /** Whether it may be left out, or be undefined. */
  readonly optional: boolean;
  /** What the comment's `@default` says. */
  readonly defaultText: string | undefined;
  /** The comment, on one line. */
  readonly meaning: string;
}

/** The members of a declaration, with those of what it extends first, but for the classes of the SDK. */
export function membersOf(file: string, name: string): readonly Member[] {
  const source = parse(file);
  const found = declarationIn(source, name);
  if (!found) throw new Error(`${file} declares no ${name}`);
  const inherited = (found.heritageClauses ?? [])
    .flatMap((clause) => clause.types)
    .flatMap((type) => inheritedFrom(source, type));
  const own = [...found.members].filter(isField).map((member) => memberFrom(source, member));
  return [...inherited, ...own];
}

function declarationIn(source: ts.SourceFile, name: string): ts.InterfaceDeclaration | ts.ClassDeclaration | undefined {
  return source.statements.find(
    (one): one is ts.InterfaceDeclaration | ts.ClassDeclaration =>
      (ts.isInterfaceDeclaration(one) || ts.isClassDeclaration(one)) && one.name?.text === name,
  );
}

type Field = ts.PropertySignature | ts.PropertyDeclaration;

function isField(member: ts.TypeElement | ts.ClassElement): member is Field {
  return ts.isPropertySignature(member) || ts.isPropertyDeclaration(member);
}

function inheritedFrom(source: ts.SourceFile, type: ts.ExpressionWithTypeArguments): readonly Member[] {
  const name = type.expression.getText();
  if (name.startsWith("pulumi.")) return [];
  const [of, without] = type.typeArguments ?? [];
  if (name === "Omit" && of && without && ts.isTypeReferenceNode(of)) {
    const omitted = new Set(without.getText().match(/\w+/g));
    return membersNamed(source, of.typeName.getText()).filter((member) => !omitted.has(member.name));
  }
  return membersNamed(source, name);
}

function membersNamed(source: ts.SourceFile, name: string): readonly Member[] {
  if (declarationIn(source, name)) return membersOf(source.fileName, name);
  const file = importedFrom(source, name);
  if (file === undefined) throw new Error(`${source.fileName} does not import ${name}`);
  return membersOf(file, name);
}

/** The file of this package that a name comes from. */
function importedFrom(source: ts.SourceFile, name: string): string | undefined {
  const from = source.statements
    .filter(ts.isImportDeclaration)
    .find((one) => new RegExp(`\\b${name}\\b`).test(one.importClause?.getText() ?? ""));
  if (!from || !ts.isStringLiteral(from.moduleSpecifier) || !from.moduleSpecifier.text.startsWith("."))
    return undefined;
  return `${join(dirname(source.fileName), from.moduleSpecifier.text)}.ts`;
}

/** What a name stands for when it is a choice of words: readers want the words. */
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
    defaultText: defaultTag && onOneLine(textOf(defaultTag.comment)),
    meaning: onOneLine(textOf(comment.comment)),
  };
}

/** `pulumi.Input<readonly pulumi.Input<string>[] | undefined>` is, for who writes a program, `string[]`. */
function bareType(written: string): string {
  let type = written.replace(/\s+/g, " ");
  for (let before = ""; before !== type;) {
    before = type;
    // With what is itself a type with arguments in between, as in `pulumi.Input<Record<string, string> | undefined>`.
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

/** Paragraphs follow one another; the entries of a list get lines of their own. */
function onOneLine(text: string): string {
  return text
    .trim()
    .replace(/\n+\s*- /g, "<br>")
    .replace(/\s*\n\s*/g, " ");
}
