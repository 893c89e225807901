import ts from 'typescript';
import { expect, test } from 'vitest';
import { type Source, sources } from './sources.ts';

/** Modules whose types describe Kubernetes objects: users build them, and change those that they read. */
const objectModules: readonly string[] = [
  'src/controller/webhooks/declarations/objects.ts',
  'src/runtime/api/definition.ts',
  'src/runtime/api/meta.ts',
  'src/runtime/api/selected.ts',
  'src/runtime/api/types.ts',
  'src/runtime/dynamic/metadata/metadata.ts',
  'src/runtime/dynamic/scale/scale.ts',
  'src/runtime/dynamic/tables/table.ts',
  'src/runtime/dynamic/unstructured.ts',
];

/** Returns the names of the properties that a file assigns, increments or deletes. */
function assignedIn(file: ts.SourceFile): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    const target = assignmentTarget(node);
    if (target !== undefined && ts.isPropertyAccessExpression(target)) found.add(target.name.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function assignmentTarget(node: ts.Node): ts.Node | undefined {
  if (ts.isDeleteExpression(node)) return node.expression;
  if (ts.isPostfixUnaryExpression(node)) return node.operand;
  if (ts.isPrefixUnaryExpression(node)) {
    const steps = [ts.SyntaxKind.PlusPlusToken, ts.SyntaxKind.MinusMinusToken];
    return steps.includes(node.operator) ? node.operand : undefined;
  }
  if (!ts.isBinaryExpression(node)) return undefined;
  const { kind } = node.operatorToken;
  const isAssignment = kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
  return isAssignment ? node.left : undefined;
}

/** Returns the members of interfaces and object types that are not `readonly`, as `path:line code`. */
function mutableMembers({ path, file }: Source): readonly string[] {
  const assigned = assignedIn(file);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isMutable(node) && !(node.name !== undefined && assigned.has(node.name.getText(file)))) {
      const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
      found.push(`${path}:${line} ${node.getText(file)}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function isMutable(node: ts.Node): node is ts.PropertySignature | ts.IndexSignatureDeclaration {
  if (!ts.isPropertySignature(node) && !ts.isIndexSignatureDeclaration(node)) return false;
  return node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ReadonlyKeyword) !== true;
}

test('members of interfaces and object types are readonly unless their module assigns them', () => {
  const modules = sources.filter(({ path }) => !objectModules.includes(path));
  expect(modules.flatMap(mutableMembers)).toEqual([]);
});

test('modules of Kubernetes objects are listed only while they have members that can be assigned', () => {
  const idle = objectModules.filter(
    (module) => !sources.some((source) => source.path === module && mutableMembers(source).length > 0),
  );
  expect(idle).toEqual([]);
});
