import { createRequire } from "node:module";
import type * as FastXmlParser from "fast-xml-parser";
import { groupBy } from "../plain/plain";
import { exactNumber } from "./json";

/** An XML document: the root's name, and the content as the same plain data that JSON would yield. */
interface XmlDocument {
  readonly root: string;
  readonly value: unknown;
}

const maxDepth = 40;

/** Elements that are read as objects even if they are empty and nothing in the document marks them as objects. */
const alwaysObjects = new Set(["params"]);

/** Throws unless the text is one well-formed document. A prefix on element names keeps `__proto__` from meaning anything to the parser. */
export function parseXml(text: string): XmlDocument {
  const { XMLParser, XMLValidator } = fastXmlParser();
  const source = text.trimStart();
  // No panel sends a document that declares a type or an entity, so this document is not from a panel.
  if (source.replace(asides, "").includes("<!")) throw new SyntaxError("an XML document with declarations of its own");
  // Validates first, because the parser accepts cut-off documents and mismatched tags, and invents the missing parts.
  const valid = XMLValidator.validate(source);
  if (valid !== true) throw new SyntaxError(`not well-formed XML: ${valid.err.msg}`);
  parser ??= new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: "@",
    textNodeName: "#text",
    cdataPropName: "#cdata",
    transformTagName: (name) => (name.startsWith(namePrefix) ? name : namePrefix + name),
    parseTagValue: false,
    parseAttributeValue: false,
    trimValues: false,
    removeNSPrefix: true,
    processEntities: false,
    maxNestedTags: maxDepth,
  });
  const [root, ...others] = elementsIn(parser.parse(source) as ParsedNode[]);
  if (root === undefined || others.length > 0) throw new SyntaxError("not an XML document with one root");
  return { root: root.name, value: elementValue(root, false, true) };
}

const namePrefix = ".";
let parser: FastXmlParser.XMLParser | undefined;

/** Loads the parser when the first XML document is parsed, because most programs use JSON. */
function fastXmlParser(): typeof FastXmlParser {
  return createRequire(__filename)("fast-xml-parser") as typeof FastXmlParser;
}

/** A comment or a CDATA section, even if it is never closed. */
const asides = /<!--[^]*?(?:-->|$)|<!\[CDATA\[[^]*?(?:\]\]>|$)/g;

/** The parser's output: one key per node (the element's name, #text or #cdata), and the attributes next to it. */
type ParsedNode = Readonly<Record<string, unknown>>;

interface Element {
  readonly name: string;
  readonly type: string | undefined;
  readonly isNil: boolean;
  readonly attributes: readonly (readonly [name: string, value: string])[];
  readonly children: readonly ParsedNode[];
}

/** Values of a `type` attribute that determine how an element is read. With any other value, `type` is an ordinary attribute. */
const types = new Set(
  "array hash integer float decimal boolean date datetime dateTime string symbol yaml binary base64Binary".split(" "),
);

function elementsIn(nodes: readonly ParsedNode[]): Element[] {
  const found: Element[] = [];
  for (const node of nodes) {
    const key = Object.keys(node).find((name) => name.startsWith(namePrefix));
    if (key === undefined) continue;
    const given = node[":@"] as Readonly<Record<string, string>> | undefined;
    const type = given?.["@type"];
    const nil = given?.["@nil"];
    const isTyped = type !== undefined && types.has(type);
    found.push({
      name: key.slice(namePrefix.length),
      type: isTyped ? type : undefined,
      isNil: nil === "true" || nil === "1",
      attributes: given === undefined ? [] : otherAttributes(given, isTyped),
      children: node[key] as ParsedNode[],
    });
  }
  return found;
}

function otherAttributes(given: Readonly<Record<string, string>>, isTyped: boolean): Element["attributes"] {
  return Object.entries(given)
    .filter(([name]) => name !== "@nil" && name !== "@__proto__" && !(isTyped && name === "@type"))
    .map(([name, value]) => [name.slice(1), decodeEntities(value)]);
}

/** An element with text and attributes becomes an object only if it may be a row. In a field, only the text is read. */
function elementValue(element: Element, mayBeRow: boolean, isRoot = false): unknown {
  if (element.isNil) return null;
  const children = elementsIn(element.children);
  if (element.type === "array") return children.map((child) => elementValue(child, true));
  if (children.length > 0) return objectValue(element, children, isRoot);
  const content = text(element);
  const isBlank = content.trim() === "";
  if (element.attributes.length > 0 && (isBlank || mayBeRow)) {
    return { ...objectValue(element, [], false), ...(!isBlank && { text: content }) };
  }
  if (isBlank && alwaysObjects.has(element.name)) return {};
  return scalarValue(element.type ?? "string", content);
}

function scalarValue(type: string, content: string): unknown {
  const trimmed = content.trim();
  switch (type) {
    case "integer":
    case "float":
      return /^-?\d/.test(trimmed) ? exactNumber(trimmed) : trimmed || null;
    case "boolean":
      return /^(?:true|false)$/.test(trimmed) ? trimmed === "true" : trimmed || null;
    case "date":
    case "datetime":
    case "dateTime":
      return trimmed || null;
    default:
      return content;
  }
}

/** An object whose members are the attributes and the children. A repeated name becomes a list, whatever the attributes say. */
function objectValue({ attributes }: Element, children: readonly Element[], isRoot: boolean): Record<string, unknown> {
  const object: Record<string, unknown> = Object.fromEntries(attributes);
  for (const [name, alike] of groupBy(children, (child) => child.name)) {
    if (name === "__proto__") continue;
    const values = alike.map((child) => elementValue(child, isRoot || alike.length > 1));
    object[name] = values.length === 1 ? values[0] : values;
  }
  return object;
}

function text(element: Element): string {
  let content = "";
  for (const [key, value] of element.children.flatMap(Object.entries<unknown>)) {
    if (key === "#text") content += decodeEntities(String(value));
    if (key === "#cdata") for (const part of value as readonly ParsedNode[]) content += String(part["#text"]);
  }
  return content;
}

const namedEntities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** Decodes the five predefined XML entities and numeric character references, but not twice. Everything else that begins with "&" is left as it is. */
export function decodeEntities(content: string): string {
  if (!content.includes("&")) return content;
  return content.replace(
    /&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(lt|gt|amp|quot|apos));/g,
    (whole, decimal, hex, name) => {
      if (typeof name === "string") return namedEntities[name] ?? whole;
      const code = typeof decimal === "string" ? Number(decimal) : parseInt(String(hex), 16);
      return code > 0x10ffff ? whole : String.fromCodePoint(code);
    },
  );
}
