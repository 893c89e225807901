/** Names that a file has for exports of client-node, and the objects that it creates with them. */
import { ts } from 'ts-morph';
import type { Conversion } from './conversion.ts';
import { isLibrary, moduleOf } from './specifiers.ts';

/** Returns whether an identifier is the name of the whole module. */
export const isModuleName = (conversion: Conversion, node: ts.Node): boolean => {
  const binding = bindingOf(conversion, node);
  return binding !== undefined && binding.name === undefined;
};

/** A name of the file for client-node: the whole module, or one of its exports. */
interface Binding {
  readonly name: string | undefined;
}

function bindingOf(conversion: Conversion, node: ts.Node): Binding | undefined {
  if (!ts.isIdentifier(node)) return undefined;
  for (const declaration of conversion.symbolOf(node)?.declarations ?? []) {
    const owner = ts.findAncestor(declaration, (each) => moduleOf(each) !== undefined);
    const module = owner === undefined ? undefined : moduleOf(owner);
    if (module === undefined || !isLibrary(module.text)) continue;
    const isNamed = ts.isImportSpecifier(declaration) || ts.isBindingElement(declaration);
    return { name: isNamed ? (declaration.propertyName ?? declaration.name).getText() : undefined };
  }
  return undefined;
}

/** Returns the name of an export of client-node that a node refers to: `k8s.CoreV1Api` or `CoreV1Api`. */
export function exportOf(conversion: Conversion, node: ts.Node | undefined): string | undefined {
  if (node === undefined) return undefined;
  if (ts.isPropertyAccessExpression(node))
    return isModuleName(conversion, node.expression) ? node.name.text : undefined;
  if (ts.isQualifiedName(node)) return isModuleName(conversion, node.left) ? node.right.text : undefined;
  return bindingOf(conversion, node)?.name;
}

/** Returns an expression without parentheses, `await`, `!` and type assertions. */
export function bare(node: ts.Expression): ts.Expression {
  const isWrapped =
    ts.isParenthesizedExpression(node) ||
    ts.isAwaitExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isAsExpression(node);
  return isWrapped ? bare(node.expression) : node;
}

/** Returns the class of client-node whose object an expression is: `KubeConfig`, `CoreV1Api`, `Informer`. */
export function classOf(conversion: Conversion, expression: ts.Expression): string | undefined {
  if (exportOf(conversion, expression) !== undefined) return undefined;
  return createdClass(conversion, bare(expression)) ?? declaredClass(conversion, bare(expression), new Set());
}

function createdClass(conversion: Conversion, node: ts.Expression): string | undefined {
  if (ts.isNewExpression(node)) return exportOf(conversion, node.expression);
  if (!ts.isCallExpression(node)) return undefined;
  if (exportOf(conversion, node.expression) === 'makeInformer') return 'Informer';
  const { expression: callee } = node;
  if (!ts.isPropertyAccessExpression(callee) || callee.name.text !== 'makeApiClient') return undefined;
  return exportOf(conversion, callee.expression) ?? exportOf(conversion, node.arguments[0]);
}

function declaredClass(conversion: Conversion, node: ts.Expression, seen: Set<ts.Node>): string | undefined {
  if (!ts.isIdentifier(node) && !ts.isPropertyAccessExpression(node)) return undefined;
  const name = ts.isIdentifier(node) ? node : node.name;
  for (const declaration of conversion.symbolOf(name)?.declarations ?? []) {
    if (seen.has(declaration)) continue;
    seen.add(declaration);
    const found = classOfDeclaration(conversion, declaration, seen);
    if (found !== undefined) return found;
  }
  return checkedClass(conversion, node);
}

function classOfDeclaration(
  conversion: Conversion,
  declaration: ts.Node,
  seen: Set<ts.Node>,
): string | undefined {
  const isTyped =
    ts.isVariableDeclaration(declaration) ||
    ts.isParameter(declaration) ||
    ts.isPropertyDeclaration(declaration);
  if (isTyped) {
    const { type, initializer } = declaration;
    if (type !== undefined && ts.isTypeReferenceNode(type)) return exportOf(conversion, type.typeName);
    if (initializer === undefined) return undefined;
    const value = bare(initializer);
    return createdClass(conversion, value) ?? declaredClass(conversion, value, seen);
  }
  // `this.api = …` in JavaScript
  const { parent } = declaration;
  if (parent === undefined || !ts.isBinaryExpression(parent)) return undefined;
  return createdClass(conversion, bare(parent.right));
}

/** Returns the class by its type, if client-node is installed. */
function checkedClass({ checker }: Conversion, node: ts.Expression): string | undefined {
  const type = checker.getNonNullableType(checker.getTypeAtLocation(node));
  const [first] = type.isIntersection() ? type.types : [type];
  const symbol = first?.getSymbol();
  const file = symbol?.declarations?.[0]?.getSourceFile().fileName ?? '';
  if (symbol === undefined || !file.includes('/@kubernetes/client-node/')) return undefined;
  return symbol.name.replace(/^(?:Promise|Object|Observable)(?=\w+Api$)/, '');
}
