/** Configurations of a file: how they are loaded, and the names of the clientsets in their place. */
import { ts } from 'ts-morph';
import { visitAll } from '../../rewriting.ts';
import type { Conversion } from '../state/conversion.ts';
import { bare, exportOf } from '../state/library.ts';
import { isAwaitable, loading } from './loading.ts';

/** Calls of `loadFrom…` and `setCurrentContext` by the `new KubeConfig()` of their object. */
const loads = new WeakMap<ts.Node, readonly ts.CallExpression[]>();

/** Configurations whose members remain, with the name of the clientset beside them. */
const kept = new WeakMap<ts.Symbol, string>();

/** `new KubeConfig()` of configurations that remain, by the statement after which a clientset is created. */
const places = new WeakMap<ts.Node, ts.NewExpression>();

const ownNames = /^(kc|kubeconfig|kubeConfig|config|k8sConfig|kubernetesConfig)$/;

/** Classes whose object is only a configuration with methods, which the clientset has. */
const configOnly = /^(Watch|Exec|Attach|Log|PortForward|Cp|Metrics)$/;

/** Finds the configurations of a file: their calls of `loadFrom…`, which their creation includes. */
export function planConfigs(conversion: Conversion): void {
  const calls = new Map<ts.Symbol, ts.CallExpression[]>();
  visitAll(conversion.source, (node) => {
    const load = loadOf(conversion, node);
    if (load !== undefined) calls.set(load.symbol, [...(calls.get(load.symbol) ?? []), load.call]);
  });
  const names = new Map<string, string>();
  visitAll(conversion.source, (node) => {
    const symbol = createdSymbol(conversion, node);
    if (symbol === undefined || !ts.isNewExpression(node)) return;
    const own = calls.get(symbol) ?? [];
    loads.set(node, own);
    if (isKept(conversion, node, symbol)) return keepConfig(conversion, node, symbol, own.map(wholeChoice));
    for (const call of own) conversion.dropped.add(wholeChoice(call));
    renameVariable(conversion, node, symbol, names);
  });
  visitAll(conversion.source, (node) => planAlias(conversion, node));
}

function loadOf(conversion: Conversion, node: ts.Node) {
  if (!ts.isCallExpression(node) || !ts.isExpressionStatement(node.parent)) return undefined;
  const { expression: callee } = node;
  if (!ts.isPropertyAccessExpression(callee)) return undefined;
  if (!/^(loadFrom\w+|setCurrentContext)$/.test(callee.name.text)) return undefined;
  const symbol = symbolOfExpression(conversion, callee.expression);
  return symbol && { symbol, call: node };
}

function symbolOfExpression(conversion: Conversion, node: ts.Expression): ts.Symbol | undefined {
  return conversion.symbolOf(ts.isPropertyAccessExpression(node) ? node.name : node);
}

/** Returns the variable or property to which `new KubeConfig()` is assigned. */
function createdSymbol(conversion: Conversion, node: ts.Node): ts.Symbol | undefined {
  if (!ts.isNewExpression(node) || exportOf(conversion, node.expression) !== 'KubeConfig') return undefined;
  const { parent } = node;
  if (ts.isVariableDeclaration(parent) || ts.isPropertyDeclaration(parent))
    return conversion.symbolOf(parent.name);
  return ts.isBinaryExpression(parent) ? symbolOfExpression(conversion, parent.left) : undefined;
}

/** Returns the `if` or `try` statement that only selects how to load, or else the statement of a call. */
function wholeChoice(call: ts.CallExpression): ts.Node {
  let statement: ts.Node = call.parent;
  for (;;) {
    const block: ts.Node = ts.isBlock(statement.parent) ? statement.parent : statement;
    const choice = ts.isCatchClause(block.parent) ? block.parent.parent : block.parent;
    const isChoice = ts.isIfStatement(choice) || ts.isTryStatement(choice);
    if (!isChoice || !isOnlyLoading(choice)) return statement;
    statement = choice;
  }
}

function isOnlyLoading(node: ts.Node): boolean {
  if (ts.isBlock(node)) return node.statements.every(isOnlyLoading);
  if (ts.isIfStatement(node))
    return isOnlyLoading(node.thenStatement) && (!node.elseStatement || isOnlyLoading(node.elseStatement));
  if (ts.isTryStatement(node))
    return isOnlyLoading(node.tryBlock) && (!node.catchClause || isOnlyLoading(node.catchClause.block));
  return ts.isExpressionStatement(node) && /\.loadFrom(Default|Cluster)\(\)$/.test(node.expression.getText());
}

/** Returns whether a variable has uses that kgen has no equivalent for. */
function isKept(conversion: Conversion, node: ts.Node, symbol: ts.Symbol): boolean {
  if (!ts.isVariableDeclaration(node.parent) || !isAwaitable(node)) return false;
  let isFound = false;
  visitAll(conversion.source, (each) => {
    if (!ts.isIdentifier(each) || conversion.symbolOf(each) !== symbol) return;
    if (ts.findAncestor(each, (one) => conversion.dropped.has(one))) return;
    if (!isSupportedUse(conversion, each)) isFound = true;
  });
  return isFound;
}

function isSupportedUse(conversion: Conversion, { parent }: ts.Identifier): boolean {
  if (ts.isPropertyAccessExpression(parent))
    return /^(makeApiClient|setCurrentContext|loadFrom\w+)$/.test(parent.name.text);
  const made = ts.isNewExpression(parent) ? exportOf(conversion, parent.expression) : undefined;
  return made === undefined || configOnly.test(made) || made === 'KubeConfig';
}

/** Keeps a configuration, and creates a clientset after it. */
function keepConfig(
  conversion: Conversion,
  node: ts.NewExpression,
  symbol: ts.Symbol,
  statements: readonly ts.Node[],
): void {
  const place = statements.at(-1) ?? ts.findAncestor(node, ts.isStatement);
  kept.set(symbol, conversion.fresh('clientset'));
  const isNeeded = /\.makeApiClient\(|\b(?:Watch|Exec|Attach|Log|PortForward|Cp|Metrics|makeInformer)\(/;
  if (place !== undefined && isNeeded.test(conversion.source.text)) places.set(place, node);
}

function renameVariable(
  conversion: Conversion,
  node: ts.NewExpression,
  symbol: ts.Symbol,
  names: Map<string, string>,
): void {
  const { parent } = node;
  if (!ts.isVariableDeclaration(parent) || !ts.isIdentifier(parent.name)) return;
  const statement = parent.parent.parent;
  if (!ts.isVariableStatement(statement) || (statement.modifiers?.length ?? 0) > 0) return;
  const isAlone = statement.declarationList.declarations.length === 1;
  const shared = isAlone && !isAwaitable(node) ? createdClientset(conversion, node) : undefined;
  if (shared !== undefined) {
    conversion.dropped.add(statement);
    conversion.replaced.set(symbol, shared);
    return;
  }
  const own = parent.name.text;
  if (!ownNames.test(own)) return;
  // Variables with one name get one name, so that inner ones hide outer ones as before.
  const name = names.get(own) ?? conversion.fresh('clientset');
  names.set(own, name);
  conversion.replaced.set(symbol, name);
}

/** Returns the clientset in place of `new KubeConfig()`. */
export function createdClientset(conversion: Conversion, node: ts.NewExpression): string | undefined {
  const type = conversion.use('@kgen/kubernetes', 'Clientset');
  const load = loading(conversion, loads.get(node) ?? [], node);
  if (load === undefined) {
    conversion.report(node, 'load this configuration with functions of @kgen/runtime');
    return undefined;
  }
  if (isAwaitable(node)) return `new ${type}(await ${load.text})`;
  if (!load.isConstant) {
    conversion.report(node, 'loading is asynchronous: the function must be async');
    return undefined;
  }
  return sharedClientset(conversion, `new ${type}(await ${load.text})`);
}

/** Declares a clientset of the module, for functions that are not asynchronous. */
function sharedClientset(conversion: Conversion, text: string): string {
  const known = conversion.hoisted.find((line) => line.endsWith(` = ${text};`));
  const name = known?.split(' ')[1] ?? conversion.fresh('clientset');
  if (known === undefined) conversion.hoisted.push(`const ${name} = ${text};`);
  return name;
}

/** Leaves out variables that would be other names of the clientset. */
function planAlias(conversion: Conversion, node: ts.Node): void {
  if (!ts.isVariableStatement(node) || (node.modifiers?.length ?? 0) > 0) return;
  const [only, ...more] = node.declarationList.declarations;
  if (only?.initializer === undefined || more.length > 0 || !ts.isIdentifier(only.name)) return;
  const isConstant = (node.declarationList.flags & ts.NodeFlags.Const) !== 0;
  const config = onlyConfig(conversion, bare(only.initializer));
  const symbol = conversion.symbolOf(only.name);
  if (!isConstant || config === undefined || !ts.isIdentifier(config) || symbol === undefined) return;
  conversion.replaced.set(symbol, clientsetText(conversion, config));
  conversion.dropped.add(node);
}

/** Returns the configuration of `new Watch(kc)` and its kind. */
export function onlyConfig(conversion: Conversion, node: ts.Node): ts.Expression | undefined {
  if (!ts.isNewExpression(node)) return undefined;
  const name = exportOf(conversion, node.expression);
  return name !== undefined && configOnly.test(name) ? node.arguments?.[0] : undefined;
}

/** Returns the clientset of a configuration. */
export function clientsetText(conversion: Conversion, config: ts.Expression): string {
  const symbol = symbolOfExpression(conversion, config);
  return (symbol && kept.get(symbol)) ?? conversion.render(config);
}

/** Creates a clientset after a configuration that remains. */
export function addClientset(conversion: Conversion, node: ts.Node): string | undefined {
  const created = places.get(node);
  if (created === undefined) return undefined;
  const symbol = createdSymbol(conversion, created);
  const text = createdClientset(conversion, created);
  const name = symbol && kept.get(symbol);
  if (text !== undefined && name !== undefined) conversion.after([`const ${name} = ${text};`]);
  return undefined;
}

/** Returns the text of a configuration that remains, if a node belongs to it. */
export function keptText(conversion: Conversion, node: ts.Node): string | undefined {
  if (ts.isNewExpression(node)) {
    const symbol = createdSymbol(conversion, node);
    if (symbol === undefined || !kept.has(symbol)) return undefined;
    conversion.kept.add('KubeConfig');
    return node.getText();
  }
  if (!ts.isPropertyAccessExpression(node) || node.name.text === 'makeApiClient') return undefined;
  const symbol = symbolOfExpression(conversion, node.expression);
  if (symbol === undefined || !kept.has(symbol)) return undefined;
  if (!/^loadFrom|^setCurrentContext$/.test(node.name.text))
    conversion.report(node, `${node.name.text} of KubeConfig has no equivalent`);
  return node.getText();
}
