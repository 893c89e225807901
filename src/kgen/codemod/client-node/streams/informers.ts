/** `makeInformer` and `ListWatch`: informers of a factory. */
import { ts } from 'ts-morph';
import { visitAll } from '../../rewriting.ts';
import { apiCallOf } from '../calls/calls.ts';
import { argumentsOf, initializerOf, isNothing, literalOf, type Members } from '../calls/parameters.ts';
import { clientsetText } from '../configs/plan.ts';
import type { Conversion } from '../state/conversion.ts';
import { bare, classOf, exportOf } from '../state/library.ts';
import { type PathResource, pathResource } from './paths.ts';
import { dropVariable, withoutType } from './statements.ts';

/** An informer of the program. */
interface InformerPlan {
  /** Name of its factory. */
  readonly factory: string;
  readonly resource: PathResource;
  readonly config: ts.Expression;
  readonly options: readonly (readonly [string, ts.Expression | undefined])[];
  readonly isStarted: boolean;
}

const plans = new WeakMap<ts.Symbol, InformerPlan>();

/** Finds the informers of a file. */
export function planInformers(conversion: Conversion): void {
  visitAll(conversion.source, (node) => {
    const made = ts.isVariableDeclaration(node) && node.initializer && bare(node.initializer);
    if (!made || !(ts.isCallExpression(made) || ts.isNewExpression(made))) return;
    const plan = planOf(conversion, made);
    const symbol = conversion.symbolOf(node.name);
    if (plan === undefined || symbol === undefined) return;
    plans.set(symbol, plan);
    const [, second, third] = made.arguments ?? [];
    const isLeftOut = (each: ts.Identifier) =>
      each === second || each === third || ts.findAncestor(each, (one) => one === third) !== undefined;
    dropVariable(conversion, third, isLeftOut);
    dropVariable(conversion, made.arguments?.[0], isLeftOutPath(made));
  });
}

const isLeftOutPath = (made: ts.CallExpression | ts.NewExpression) => (each: ts.Identifier) =>
  each === made.arguments?.[0];

function planOf(
  conversion: Conversion,
  made: ts.CallExpression | ts.NewExpression,
): InformerPlan | undefined {
  const name = exportOf(conversion, made.expression);
  const [first, second, third, fourth, fifth, sixth] = made.arguments ?? [];
  const isList = name === 'ListWatch' && ts.isNewExpression(made);
  if (!isList && name !== 'makeInformer') return undefined;
  const [path, config] = isList ? [first, second] : [second, first];
  const resource = path && pathResource(conversion, path);
  if (resource === undefined || config === undefined) return undefined;
  const labels = isList ? fifth : fourth;
  const fields = isList ? sixth : fifth;
  return {
    factory: conversion.fresh('informers'),
    resource,
    config,
    options: [
      ['labelSelector', isNothing(labels) ? listedWith(conversion, third) : labels],
      ['fieldSelector', isNothing(fields) ? undefined : fields],
    ],
    isStarted: isList && fourth?.kind !== ts.SyntaxKind.FalseKeyword,
  };
}

/** Returns the label selector of the function that lists the objects. */
function listedWith(conversion: Conversion, node: ts.Expression | undefined): ts.Expression | undefined {
  const value = node && ts.isIdentifier(node) ? initializerOf(conversion, node) : node;
  let found: ts.Expression | undefined;
  if (value === undefined) return undefined;
  visitAll(value, (each) => {
    const call = apiCallOf(conversion, each);
    if (call === undefined || !ts.isCallExpression(each)) return;
    found = argumentsOf(conversion, each, call.method)?.parameters.get('labelSelector')?.node;
  });
  return found;
}

/** Converts the creation of informers, and calls of their methods. */
export function convertInformer(conversion: Conversion, node: ts.Node): string | undefined {
  if (ts.isExpressionStatement(node)) return handlersText(conversion, node);
  if (ts.isVariableDeclaration(node)) return createdInformer(conversion, node);
  if (!ts.isCallExpression(node)) return undefined;
  if (exportOf(conversion, node.expression) === 'makeInformer')
    conversion.report(node, 'create this informer with InformerFactory of @kgen/kubernetes');
  const { expression: callee } = node;
  if (!ts.isPropertyAccessExpression(callee)) return undefined;
  const name = classOf(conversion, callee.expression);
  if (name !== 'Informer' && name !== 'ListWatch') return undefined;
  const plan = planOfExpression(conversion, callee.expression);
  const text = plan && methodText(conversion, node, callee, plan);
  if (text === undefined)
    conversion.report(node, `${callee.name.text} of informers cannot be converted here`);
  return text;
}

function planOfExpression(conversion: Conversion, node: ts.Expression): InformerPlan | undefined {
  const symbol = conversion.symbolOf(node);
  return symbol && plans.get(symbol);
}

function createdInformer(conversion: Conversion, node: ts.VariableDeclaration): string | undefined {
  const symbol = conversion.symbolOf(node.name);
  const plan = symbol && plans.get(symbol);
  if (plan === undefined) return undefined;
  const { factory, resource, config, isStarted } = plan;
  const type = conversion.use('@kgen/kubernetes', 'InformerFactory');
  conversion.before([`const ${factory} = new ${type}(${clientsetText(conversion, config)});`]);
  if (isStarted) conversion.after([`${factory}.start();`]);
  conversion.note(node, 'informers belong to an InformerFactory');
  const members: Members = new Map();
  if (resource.namespace !== undefined) members.set('namespace', resource.namespace);
  for (const [name, value] of plan.options)
    if (value !== undefined) members.set(name, conversion.render(value));
  const options = members.size === 0 ? '' : literalOf(conversion, members, node);
  const name = conversion.render(node.name);
  if (resource.accessor !== undefined) return `${name} = ${factory}.${resource.accessor}(${options})`;
  return `${name} = ${factory}.of(${[resource.name, ...(options === '' ? [] : [options])].join(', ')})`;
}

interface Handler {
  readonly informer: ts.Expression;
  readonly name: string;
  readonly callback: ts.Expression;
}

/** Converts statements `informer.on('add', …)` that follow each other to one registration. */
function handlersText(conversion: Conversion, node: ts.ExpressionStatement): string | undefined {
  const first = handlerOf(conversion, node);
  if (first === undefined) return undefined;
  const found = [first];
  const own = conversion.symbolOf(first.informer);
  const all: readonly ts.Node[] =
    ts.isBlock(node.parent) || ts.isSourceFile(node.parent) ? node.parent.statements : [node];
  for (const next of all.slice(all.indexOf(node) + 1)) {
    const handler = handlerOf(conversion, next);
    const isKnown = found.some(({ name }) => name === handler?.name);
    const hasComment = next.getFullText().trimStart() !== next.getText();
    if (handler === undefined || isKnown || hasComment || conversion.symbolOf(handler.informer) !== own)
      break;
    found.push(handler);
    conversion.dropped.add(next);
  }
  return `${conversion.render(first.informer)}.handle(${handlersLiteral(conversion, node, found)});`;
}

function handlerOf(conversion: Conversion, node: ts.Node): Handler | undefined {
  if (!ts.isExpressionStatement(node) || !ts.isCallExpression(node.expression)) return undefined;
  const { expression: callee, arguments: list } = node.expression;
  const [event, callback] = list;
  if (!ts.isPropertyAccessExpression(callee) || callee.name.text !== 'on' || callback === undefined)
    return undefined;
  const name = event === undefined ? '' : eventName(conversion, event);
  const isKnown =
    /^(add|update|delete)$/.test(name) && planOfExpression(conversion, callee.expression) !== undefined;
  return isKnown ? { informer: callee.expression, name, callback } : undefined;
}

function handlersLiteral(conversion: Conversion, place: ts.Node, handlers: readonly Handler[]): string {
  const members = handlers.map(({ name, callback }) => `${name}: ${conversion.moved(callback, place)}`);
  const [only = ''] = members;
  if (members.length === 1 && !only.includes('\n')) return `{ ${only} }`;
  const indent = conversion.indentOf(place);
  const inner = `${indent}${conversion.unit}`;
  const lines = members.map((each) => `${inner}${each.replaceAll('\n', `\n${conversion.unit}`)},\n`);
  return `{\n${lines.join('')}${indent}}`;
}

function methodText(
  conversion: Conversion,
  call: ts.CallExpression,
  callee: ts.PropertyAccessExpression,
  { factory, resource }: InformerPlan,
): string | undefined {
  const informer = conversion.render(callee.expression);
  const [first, second] = call.arguments;
  const texts = call.arguments.map((each) => conversion.render(each));
  switch (callee.name.text) {
    case 'on':
      return handlerText(conversion, informer, factory, first, second);
    case 'start':
      return startText(conversion, call, factory);
    case 'stop':
      return `${factory}.stop()`;
    case 'get':
      return `${informer}.lister.get(${(resource.isNamespaced ? [texts[1] ?? "''", texts[0]] : texts.slice(0, 1)).join(', ')})`;
    case 'list':
      return `${informer}.lister.list(${texts[0] === undefined ? '' : `{ namespace: ${texts[0]} }`.replace('{ namespace: namespace }', '{ namespace }')})`;
    default:
      return undefined;
  }
}

function handlerText(
  conversion: Conversion,
  informer: string,
  factory: string,
  event: ts.Expression | undefined,
  callback: ts.Expression | undefined,
): string | undefined {
  const name = event === undefined ? '' : eventName(conversion, event);
  if (callback === undefined) return undefined;
  if (name === 'error') {
    // Errors are `unknown`.
    withoutType(conversion, callback);
    return `${factory}.on('error', ${conversion.render(callback)})`;
  }
  const text = conversion.render(callback);
  if (/^(add|update|delete)$/.test(name)) return `${informer}.handle({ ${name}: ${text} })`;
  if (name !== 'change') return undefined;
  if (ts.isIdentifier(callback))
    return `${informer}.handle({ add: ${text}, update: ${text}, delete: ${text} })`;
  const handler = conversion.fresh('onChange');
  conversion.before([`const ${handler} = ${text};`]);
  return `${informer}.handle({ add: ${handler}, update: ${handler}, delete: ${handler} })`;
}

function eventName(conversion: Conversion, node: ts.Expression): string {
  return ts.isStringLiteral(node) ? node.text : (exportOf(conversion, node) ?? '').toLowerCase();
}

/** `start()` of client-node resolves when the handlers were called for the first list. */
function startText(conversion: Conversion, call: ts.CallExpression, factory: string): string {
  const { parent } = call;
  if (ts.isAwaitExpression(parent) && ts.isExpressionStatement(parent.parent)) {
    conversion.before([`${factory}.start();`]);
    return `${factory}.waitForSync({ handlers: true })`;
  }
  const isChained = ts.isPropertyAccessExpression(parent) && ts.isCallExpression(parent.parent);
  const statement = ts.findAncestor(call, ts.isStatement);
  const isOwn = statement !== undefined && ts.isExpressionStatement(statement);
  if (!isChained || !isOwn) return `${factory}.start()`;
  conversion.before([`${factory}.start();`]);
  return `${factory}.waitForSync({ handlers: true })`;
}
