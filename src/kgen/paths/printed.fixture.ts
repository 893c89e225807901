/** The printed source as parsed by the compiler. */
import ts from 'typescript';
import { methods } from './openapi.ts';

export interface Understood {
  /** `GET /path`, sorted. */
  readonly operations: readonly string[];
  /** Names of each operation's required path parameters, sorted. */
  readonly pathParameters: ReadonlyMap<string, readonly string[]>;
  /** Types of `components['schemas']` by name. */
  readonly schemas: ReadonlyMap<string, ts.TypeNode>;
  /** Number of nodes of type `any`. */
  readonly anys: number;
  /** The kinds of statements, without duplicates. */
  readonly statements: readonly string[];
  /** Diagnostics of the parser. */
  readonly complaints: readonly string[];
}

export function understand(text: string): Understood {
  const file = ts.createSourceFile('paths.ts', text, ts.ScriptTarget.ES2022, true);
  const { diagnostics } = ts.transpileModule(text, { reportDiagnostics: true, fileName: 'paths.ts' });
  const schemas = membersOf(interfaceOf(file, 'components')).get('schemas');
  const operations = [...membersOf(interfaceOf(file, 'paths'))].flatMap(operationsOf);
  return {
    operations: operations.map(([name]) => name).sort(),
    pathParameters: new Map(operations.map(([name, type]) => [name, pathParametersOf(type)])),
    schemas: membersOf(schemas),
    anys: count(file, (node) => node.kind === ts.SyntaxKind.AnyKeyword),
    statements: [...new Set(file.statements.map(({ kind }) => ts.SyntaxKind[kind] ?? ''))].sort(),
    complaints: (diagnostics ?? []).map(({ messageText }) =>
      ts.flattenDiagnosticMessageText(messageText, '\n'),
    ),
  };
}

function interfaceOf(file: ts.SourceFile, name: string): ts.Node | undefined {
  return file.statements.find((node) => ts.isInterfaceDeclaration(node) && node.name.text === name);
}

/** Returns the members that are not `never`. */
function membersOf(node: ts.Node | undefined): ReadonlyMap<string, ts.TypeNode> {
  const members = new Map<string, ts.TypeNode>();
  if (node === undefined || !(ts.isInterfaceDeclaration(node) || ts.isTypeLiteralNode(node))) return members;
  for (const member of node.members) {
    if (!ts.isPropertySignature(member) || member.type === undefined) continue;
    if (member.type.kind === ts.SyntaxKind.NeverKeyword) continue;
    const { name } = member;
    members.set(ts.isComputedPropertyName(name) ? name.getText() : name.text, member.type);
  }
  return members;
}

type Member = readonly [name: string, type: ts.TypeNode];

function operationsOf([path, item]: Member): readonly Member[] {
  const members = membersOf(item);
  return methods.flatMap((method) => {
    const type = members.get(method);
    return type === undefined ? [] : [[`${method.toUpperCase()} ${path}`, type] as const];
  });
}

function pathParametersOf(operation: ts.TypeNode): readonly string[] {
  const path = membersOf(membersOf(operation).get('parameters')).get('path');
  return [...membersOf(path)]
    .filter(([, { parent }]) => ts.isPropertySignature(parent) && parent.questionToken === undefined)
    .map(([name]) => name)
    .sort();
}

function count(node: ts.Node, matches: (node: ts.Node) => boolean): number {
  let sum = matches(node) ? 1 : 0;
  ts.forEachChild(node, (child) => {
    sum += count(child, matches);
  });
  return sum;
}
