import { parseAst } from "rolldown/parseAst";

/** A node of the syntax tree, as far as it is looked at. */
interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

const childrenOf = (node: Node): readonly Node[] =>
  Object.values(node).flatMap((field: unknown) =>
    Array.isArray(field) ? field.filter(isNode) : isNode(field) ? [field] : [],
  );

function nodesIn(root: Node): readonly Node[] {
  const found = [root];
  for (const node of found) found.push(...childrenOf(node));
  return found;
}

/** What changes a map, a set or a list. */
const writers: ReadonlySet<unknown> = new Set(
  "set add delete clear push pop shift unshift splice sort reverse fill".split(" "),
);

const nameOf = (node: unknown): string | undefined =>
  isNode(node) && node.type === "Identifier" && typeof node["name"] === "string"
    ? node["name"]
    : undefined;

/** The name of what a member is taken from: `made` of `made.set` and of `made[0]`. */
const ownerOf = (node: unknown): string | undefined =>
  isNode(node) && node.type === "MemberExpression" ? nameOf(node["object"]) : undefined;

function writtenBy(node: Node): string | undefined {
  switch (node.type) {
    case "CallExpression": {
      const { callee } = node;
      const isWrite =
        isNode(callee) && isNode(callee["property"]) && writers.has(callee["property"]["name"]);
      return isWrite ? ownerOf(callee) : undefined;
    }
    case "AssignmentExpression":
      return ownerOf(node["left"]);
    case "UpdateExpression":
    case "UnaryExpression":
      return node["operator"] === "++" || node["operator"] === "--" || node["operator"] === "delete"
        ? ownerOf(node["argument"])
        : undefined;
    default:
      return undefined;
  }
}

/** What a module keeps between calls: every `let` at its top, and every constant there that it writes to. */
export function findModuleState(code: string, lang: "ts" | "tsx" = "ts"): readonly string[] {
  const program = parseAst(code, { lang }) as object as Node;
  const top = childrenOf(program).flatMap((statement) => {
    const declared = statement["declaration"];
    const node = isNode(declared) ? declared : statement;
    return node.type === "VariableDeclaration" ? [node] : [];
  });
  const namesIn = (node: Node): readonly string[] =>
    childrenOf(node).flatMap((declarator) => nameOf(declarator["id"]) ?? []);
  const constants = new Set(top.filter(({ kind }) => kind === "const").flatMap(namesIn));
  const written = nodesIn(program).flatMap((node) => writtenBy(node) ?? []);
  return [
    ...top.filter(({ kind }) => kind !== "const").flatMap(namesIn),
    ...new Set(written.filter((name) => constants.has(name))),
  ];
}
