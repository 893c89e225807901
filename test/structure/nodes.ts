/** Nodes of the sources by their kind, and the style of declarations. */
import ts from 'typescript';
import { type Source, sources } from './sources.ts';

/** A node of a source. */
export interface Place {
  readonly path: string;
  /** `path:line code`. */
  readonly place: string;
}

/** Returns every node of every source for which `holds` returns true. */
export function nodesWhere(holds: (node: ts.Node) => boolean): readonly Place[] {
  return sources.flatMap(({ path, file }) => {
    const found: Place[] = [];
    const visit = (node: ts.Node): void => {
      if (holds(node)) {
        const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
        found.push({ path, place: `${path}:${line} ${node.getText(file).slice(0, 80)}` });
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
    return found;
  });
}

/** Returns true for the keyword `any`. */
export const isAny = (node: ts.Node): boolean => node.kind === ts.SyntaxKind.AnyKeyword;

/** Returns true for `as`, except `as const`, and for `<T>value`. */
export const isCast = (node: ts.Node): boolean =>
  (ts.isAsExpression(node) && node.type.getText() !== 'const') || ts.isTypeAssertionExpression(node);

/** Returns true if a declaration has a modifier. */
export const hasModifier = (node: ts.Node, kind: ts.SyntaxKind): boolean =>
  ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some((modifier) => modifier.kind === kind);

/** Returns true for a constant of a module, functions and destructured values excluded. */
export function isConstant(node: ts.Node): node is ts.VariableDeclaration & { readonly name: ts.Identifier } {
  if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name)) return false;
  const { initializer, parent } = node;
  const isFunction = initializer && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer));
  return !isFunction && (parent.flags & ts.NodeFlags.Const) !== 0 && ts.isSourceFile(parent.parent.parent);
}

/** Number of functions of a module that are not exported, by their place relative to their first use. */
export interface HelperOrder {
  readonly before: number;
  readonly after: number;
}

/** Counts the helpers of a source before and after their first use. */
export function helperOrder({ file }: Source): HelperOrder {
  const helpers = file.statements.filter(
    (statement): statement is ts.FunctionDeclaration & { readonly name: ts.Identifier } =>
      ts.isFunctionDeclaration(statement) &&
      statement.name !== undefined &&
      !hasModifier(statement, ts.SyntaxKind.ExportKeyword),
  );
  const uses = helpers.map((helper) => ({ helper, use: firstUse(file, helper, helper.name.text) }));
  return {
    before: uses.filter(({ helper, use }) => helper.pos < use && use !== Number.POSITIVE_INFINITY).length,
    after: uses.filter(({ helper, use }) => helper.pos > use).length,
  };
}

function firstUse(file: ts.SourceFile, helper: ts.Node, name: string): number {
  let first = Number.POSITIVE_INFINITY;
  const visit = (node: ts.Node): void => {
    if (node === helper) return;
    if (ts.isIdentifier(node) && node.text === name) first = Math.min(first, node.pos);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return first;
}
