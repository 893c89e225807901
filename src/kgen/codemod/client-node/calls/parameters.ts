/** Arguments of calls of client-node: objects since 1.0, positional before. */
import { ts } from 'ts-morph';
import type { Conversion } from '../state/conversion.ts';
import { bare, exportOf } from '../state/library.ts';
import { ignoredParameters, type Method, optionNames, positionalNames } from '../tables/methods.ts';

/** An argument: its text, and its expression if it is one. */
export interface Parameter {
  readonly text: string;
  readonly node: ts.Expression | undefined;
}

/** Arguments by the names of the parameters. */
export type Parameters = ReadonlyMap<string, Parameter>;

/** Members of an object literal, by name. */
export type Members = Map<string, string>;

/** Arguments of a call, and its request options. */
export interface CallArguments {
  readonly parameters: Parameters;
  readonly options: ts.Expression | undefined;
}

/** Returns the arguments of a call; `undefined` if they cannot be read. */
export function argumentsOf(
  conversion: Conversion,
  call: ts.CallExpression,
  method: Method,
): CallArguments | undefined {
  const [first, second] = call.arguments;
  if (first === undefined || (call.arguments.length <= 2 && isObjectStyle(conversion, first, method))) {
    const parameters =
      first === undefined ? new Map<string, Parameter>() : objectParameters(conversion, first);
    return parameters && { parameters, options: second };
  }
  return positional(conversion, call.arguments, namesFor(conversion, call, method));
}

/** Parameters that only objects of requests have. */
const requestNames = /^(name|namespace|body|pretty|limit|watch|_continue|dryRun|\w+Selector|\w+Seconds)$/;

function isObjectStyle(conversion: Conversion, argument: ts.Expression, method: Method): boolean {
  const names = memberNames(conversion, argument);
  if (names.some((name) => name === 'metadata' || name === 'kind')) return false;
  if (names.length > 0) return names.some((name) => requestNames.test(name));
  const isNothing = ts.isObjectLiteralExpression(argument) && argument.properties.length === 0;
  return isNothing && method.verb === 'list';
}

/** Returns the names of the members of a value: those of a literal, else those of its type. */
function memberNames({ checker }: Conversion, node: ts.Expression): readonly string[] {
  if (ts.isObjectLiteralExpression(node))
    return node.properties.flatMap(({ name }) => (name === undefined ? [] : [name.getText()]));
  const type = checker.getTypeAtLocation(node);
  const isObject = (type.flags & ts.TypeFlags.Object) !== 0;
  return isObject ? type.getProperties().map(({ name }) => name) : [];
}

function objectParameters(conversion: Conversion, node: ts.Expression): Parameters | undefined {
  if (!ts.isObjectLiteralExpression(node)) {
    if (!ts.isIdentifier(node)) return undefined;
    const own = conversion.render(node);
    const names = memberNames(conversion, node);
    return new Map(names.map((name) => [name, { text: `${own}.${name}`, node: undefined }]));
  }
  const found = new Map<string, Parameter>();
  for (const member of node.properties) {
    if (ts.isShorthandPropertyAssignment(member))
      found.set(member.name.text, { text: conversion.render(member.name), node: member.name });
    else if (ts.isPropertyAssignment(member) && !ts.isComputedPropertyName(member.name))
      found.set(member.name.text, {
        text: conversion.moved(member.initializer, node.parent),
        node: member.initializer,
      });
    else if (ts.isSpreadAssignment(member) && ts.isIdentifier(member.expression))
      for (const [name, parameter] of objectParameters(conversion, member.expression) ?? [])
        found.set(name, parameter);
    else return undefined;
  }
  return found;
}

/** Returns the names of positional parameters: of an installed release before 1.0, else of the table. */
function namesFor({ checker }: Conversion, call: ts.CallExpression, method: Method): readonly string[] {
  const own = checker.getResolvedSignature(call)?.parameters.map(({ name }) => name) ?? [];
  const isOld = own.length > 2 && !own.includes('param');
  const names = isOld ? own : positionalNames(method);
  const index = names.indexOf('sendInitialEvents');
  const atIndex = call.arguments[index];
  // Releases before 0.19 do not have `sendInitialEvents`.
  const isOlder = atIndex !== undefined && ts.isNumericLiteral(atIndex);
  return isOlder ? names.filter((name) => name !== 'sendInitialEvents') : names;
}

function positional(
  conversion: Conversion,
  list: readonly ts.Expression[],
  names: readonly string[],
): CallArguments | undefined {
  const parameters = new Map<string, Parameter>();
  let options: ts.Expression | undefined;
  for (const [index, node] of list.entries()) {
    const name = names[index];
    if (ts.isSpreadElement(node) || name === undefined) return undefined;
    if (isNothing(node)) continue;
    if (name === 'options') options = node;
    else parameters.set(name, { text: conversion.moved(node, node.parent), node });
  }
  return { parameters, options };
}

/** Returns whether an argument is `undefined` or `null`. */
export const isNothing = (node: ts.Expression | undefined): boolean =>
  node === undefined ||
  node.kind === ts.SyntaxKind.NullKeyword ||
  (ts.isIdentifier(node) && node.text === 'undefined');

/** Returns the options of a call of kgen. Parameters without an equivalent are reported. */
export function optionsOf(conversion: Conversion, call: ts.Node, parameters: Parameters): Members {
  const members: Members = new Map();
  for (const [name, { text, node }] of parameters) {
    const option = optionNames.get(name);
    if (option !== undefined) members.set(option, text);
    else if (name === 'orphanDependents' && text === 'true') members.set('propagationPolicy', "'Orphan'");
    else if (name === 'orphanDependents' || ignoredParameters.has(name)) continue;
    else if (name === 'watch' && (node === undefined || text === 'false')) continue;
    else conversion.report(call, `the parameter ${name} has no equivalent`);
  }
  return members;
}

/** Adds the request options of a call: headers and the timeout. */
export function addRequestOptions(conversion: Conversion, members: Members, node: ts.Expression): void {
  if (!ts.isCallExpression(node)) {
    conversion.report(node, 'these request options have no equivalent');
    return;
  }
  const [first, second] = node.arguments.map((each) => conversion.render(each));
  const name = exportOf(conversion, node.expression);
  if (name === 'setRequestTimeoutOptions' && first !== undefined) members.set('timeoutMs', first);
  else if (/^(set|with)HeaderOptions$/.test(name ?? '') && first !== undefined && second !== undefined)
    members.set('headers', `{ ${first}: ${second} }`);
  else conversion.report(node, 'these request options have no equivalent');
}

const contentTypes: readonly (readonly [RegExp, string])[] = [
  [/^application\/json-patch\+json$|JSON_PATCH$|JsonPatch$/, 'json'],
  [/^application\/merge-patch\+json$|MERGE_PATCH$|MergePatch$/, 'merge'],
  [/^application\/strategic-merge-patch\+json$|STRATEGIC_MERGE_PATCH$|StrategicMergePatch$/, 'strategic'],
  [/^application\/apply-patch\+yaml$|APPLY_PATCH$|ServerSideApply$/, 'apply'],
];

/** Returns the type of a patch that a content type below a node names. */
export function patchType(conversion: Conversion, node: ts.Node | undefined): string | undefined {
  if (node === undefined) return undefined;
  const seen = new Set<ts.Node>();
  const search = (each: ts.Node): string | undefined => {
    const text = ts.isStringLiteralLike(each) ? each.text : undefined;
    const name = ts.isPropertyAccessExpression(each) ? each.name.text : undefined;
    const own = text ?? name ?? (ts.isIdentifier(each) ? each.text : '');
    // `STRATEGIC_MERGE_PATCH` also ends with `MERGE_PATCH`.
    const found = contentTypes.findLast(([pattern]) => pattern.test(own))?.[1];
    if (found !== undefined) return found;
    const value = ts.isIdentifier(each) ? initializerOf(conversion, each) : undefined;
    if (value === undefined || seen.has(value)) return ts.forEachChild(each, search);
    seen.add(value);
    return search(value);
  };
  return search(node);
}

/** Returns the initializer of the variable that an expression names. */
export function initializerOf(conversion: Conversion, node: ts.Expression): ts.Expression | undefined {
  const declaration = conversion.symbolOf(node)?.valueDeclaration;
  const isVariable = declaration !== undefined && ts.isVariableDeclaration(declaration);
  return isVariable ? declaration.initializer && bare(declaration.initializer) : undefined;
}

/** Returns a chain of calls, with a line for each call if it does not fit on one. */
export function chainText(
  conversion: Conversion,
  start: string,
  calls: readonly string[],
  place: ts.Node,
): string {
  const indent = conversion.indentOf(place);
  const [head = ''] = calls.join('').split('\n');
  if (indent.length + start.length + head.length <= 100) return `${start}${calls.join('')}`;
  const inner = `\n${indent}${conversion.unit}`;
  return `${start}${calls.map((call) => inner + call.replaceAll('\n', `\n${conversion.unit}`)).join('')}`;
}

/** Returns an object literal, on one line if it fits behind a prefix, otherwise `depth` levels deeper. */
export function literalOf(
  conversion: Conversion,
  members: Members,
  place: ts.Node,
  prefix = '',
  depth = 0,
): string {
  const all = [...members].map(([name, text]) => (name === text ? name : `${name}: ${text}`));
  const line = `{ ${all.join(', ')} }`;
  const indent = conversion.indentOf(place) + conversion.unit.repeat(depth);
  const isShort = line.length <= 70 && indent.length + prefix.length + line.length <= 106;
  if (isShort || line.includes('\n')) return line;
  return `{\n${all.map((each) => `${indent}${conversion.unit}${each},\n`).join('')}${indent}}`;
}
