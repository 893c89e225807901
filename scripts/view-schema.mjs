// Writes the JSON Schema of the documents of `kgen view` from their types. `--check` fails if it differs.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'src/kgen/view/format.ts');
const target = join(root, 'src/kgen/view/schema.ts');

/** Returns the schema of a type; `name` refers to an exported type. */
function schemaOf(node) {
  if (ts.isUnionTypeNode(node)) {
    const literals = node.types.filter((each) => ts.isLiteralTypeNode(each));
    if (literals.length === node.types.length)
      return { enum: literals.map(({ literal }) => literalOf(literal)) };
    return { anyOf: node.types.map(schemaOf) };
  }
  if (ts.isTypeOperatorNode(node)) return schemaOf(node.type);
  if (ts.isParenthesizedTypeNode(node)) return schemaOf(node.type);
  if (ts.isArrayTypeNode(node)) return { type: 'array', items: schemaOf(node.elementType) };
  if (ts.isTypeReferenceNode(node)) return { $ref: `#/$defs/${node.typeName.getText()}` };
  if (ts.isLiteralTypeNode(node)) return { enum: [literalOf(node.literal)] };
  const keyword = keywords[ts.SyntaxKind[node.kind]];
  if (keyword === undefined) throw new Error(`${source}: ${node.getText()} has no schema`);
  return keyword;
}

const keywords = {
  StringKeyword: { type: 'string' },
  NumberKeyword: { type: 'number' },
  BooleanKeyword: { type: 'boolean' },
  UnknownKeyword: {},
};

function literalOf(literal) {
  return ts.isStringLiteral(literal) ? literal.text : JSON.parse(literal.getText());
}

function interfaceSchema({ members }) {
  const properties = Object.fromEntries(
    members.map((each) => [each.name.getText(), withDoc(each, schemaOf(each.type))]),
  );
  const required = members
    .filter((each) => each.questionToken === undefined)
    .map((each) => each.name.getText());
  return { type: 'object', properties, required };
}

/** Adds the doc comment as the description. */
function withDoc(node, schema) {
  const [{ comment } = {}] = node.jsDoc ?? [];
  const text = ts.getTextOfJSDocComment(comment);
  return text === undefined ? schema : { description: text.replace(/\s+/g, ' '), ...schema };
}

const file = ts.createSourceFile(source, readFileSync(source, 'utf8'), ts.ScriptTarget.Latest, true);
const definitions = Object.fromEntries(
  file.statements.flatMap((each) => {
    if (ts.isInterfaceDeclaration(each)) return [[each.name.text, withDoc(each, interfaceSchema(each))]];
    return ts.isTypeAliasDeclaration(each) ? [[each.name.text, withDoc(each, schemaOf(each.type))]] : [];
  }),
);
const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $ref: '#/$defs/ViewDocument',
  $defs: definitions,
};
const text = `/** JSON Schema of the documents of the page. \`node scripts/view-schema.mjs\` writes it from \`format.ts\`. */

/** A schema, or a part of it. */
export interface SchemaNode {
  readonly $schema?: string;
  readonly $ref?: string;
  readonly $defs?: { readonly [name: string]: SchemaNode };
  readonly description?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly SchemaNode[];
  readonly items?: SchemaNode;
  readonly properties?: { readonly [name: string]: SchemaNode };
  readonly required?: readonly string[];
}

/** JSON Schema (2020-12) of \`ViewDocument\`, for programs that write it. */
export const viewSchema: SchemaNode = JSON.parse(
  '${JSON.stringify(schema).replace(/[\\']/g, '\\$&')}',
);
`;
if (!process.argv.includes('--check')) writeFileSync(target, text);
else if (readFileSync(target, 'utf8') !== text) {
  console.error(`${target} is not what scripts/view-schema.mjs writes: run it`);
  process.exit(1);
}
