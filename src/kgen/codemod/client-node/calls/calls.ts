/** Calls of the classes of API groups, such as `CoreV1Api`. */
import { ts } from 'ts-morph';
import type { Conversion } from '../state/conversion.ts';
import { bare, classOf } from '../state/library.ts';
import { type Method, methodOf, verbOf } from '../tables/methods.ts';
import {
  addRequestOptions,
  argumentsOf,
  type CallArguments,
  initializerOf,
  literalOf,
  type Members,
  optionsOf,
  type Parameter,
  patchType,
} from './parameters.ts';

/** A call of a method of an API class. */
export interface ApiCall {
  readonly client: ts.Expression;
  readonly method: Method;
}

/** Returns the method that a call calls. */
export function apiCallOf(conversion: Conversion, node: ts.Node): ApiCall | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const { expression: client, name } = node.expression;
  const className = classOf(conversion, client);
  const method = className === undefined ? undefined : methodOf(className, name.text);
  return method && { client, method };
}

/** Converts a call of a method: `api.listNamespacedPod({ namespace })` is `api.pods(namespace).list()`. */
export function convertApiCall(conversion: Conversion, node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node)) return undefined;
  const found = apiCallOf(conversion, node);
  if (found === undefined) return reportUnknown(conversion, node);
  const { client, method } = found;
  const given = argumentsOf(conversion, node, method);
  const verb = verbOf(method);
  if (given === undefined || verb === undefined || isWatch(given)) {
    conversion.report(node, `${method.verb}${method.kind.kind}${method.subresource} cannot be converted`);
    return undefined;
  }
  const namespace = method.isNamespaced ? textOf(given, 'namespace', "'default'") : '';
  const resource = `${conversion.render(client)}.${method.kind.accessor}(${namespace})`;
  const list = callArguments(conversion, node, method, given);
  return list && `${resource}.${list.verb ?? verb}(${list.texts.join(', ')})`;
}

/** Reports a call of an API class whose method has no equivalent. */
function reportUnknown(conversion: Conversion, node: ts.CallExpression): undefined {
  if (!ts.isPropertyAccessExpression(node.expression)) return undefined;
  const { expression, name } = node.expression;
  const className = classOf(conversion, expression);
  const isGroup = className !== undefined && /V\d\w*Api$/.test(className);
  if (isGroup) conversion.report(node, `${className}.${name.text} has no equivalent`);
  return undefined;
}

const isWatch = ({ parameters }: CallArguments): boolean => parameters.get('watch')?.text === 'true';

const textOf = ({ parameters }: CallArguments, name: string, otherwise: string): string =>
  parameters.get(name)?.text ?? otherwise;

interface Arguments {
  readonly texts: readonly string[];
  /** Method in place of the usual one. */
  readonly verb?: string;
}

function callArguments(
  conversion: Conversion,
  call: ts.CallExpression,
  method: Method,
  given: CallArguments,
): Arguments {
  const { verb, subresource } = method;
  const others = new Map([...given.parameters].filter(([name]) => !/^(name|namespace|body)$/.test(name)));
  const members = optionsOf(conversion, call, others);
  const body = given.parameters.get('body');
  const name = textOf(given, 'name', "''");
  if (verb === 'patch') return patchArguments(conversion, call, given, members);
  if (given.options !== undefined) addRequestOptions(conversion, members, given.options);
  if (verb === 'delete' || verb === 'deleteCollection') addDeletion(conversion, members, body);
  const options = members.size === 0 ? [] : [literalOf(conversion, members, call)];
  const hasName = verb === 'read' || verb === 'delete' || (verb === 'create' && subresource !== '');
  const sent = body === undefined || !(verb === 'create' || verb === 'replace') ? [] : [body.text];
  return { texts: [...(hasName ? [name] : []), ...sent, ...options] };
}

/** Adds the members of `V1DeleteOptions`, which are options of kgen. */
function addDeletion(conversion: Conversion, members: Members, body: Parameter | undefined): void {
  if (body?.node === undefined) return;
  const value = ts.isIdentifier(body.node) ? initializerOf(conversion, body.node) : bare(body.node);
  if (value === undefined || !ts.isObjectLiteralExpression(value)) {
    conversion.report(body.node, 'pass the options of this deletion as the last argument');
    return;
  }
  for (const member of value.properties) {
    const name = member.name?.getText() ?? '';
    const text = ts.isPropertyAssignment(member) ? conversion.render(member.initializer) : name;
    if (/^(gracePeriodSeconds|propagationPolicy|preconditions|dryRun)$/.test(name)) members.set(name, text);
    else if (!/^(apiVersion|kind)$/.test(name))
      conversion.report(member, `${name || 'this member'} has no equivalent`);
  }
}

function patchArguments(
  conversion: Conversion,
  call: ts.CallExpression,
  given: CallArguments,
  members: Members,
): Arguments {
  const { parameters, options } = given;
  const [name, body] = [textOf(given, 'name', "''"), parameters.get('body')];
  const isList = body?.node !== undefined && isArray(conversion, body.node);
  const type = patchType(conversion, options) ?? (isList ? 'json' : undefined);
  if (type === 'apply') {
    if (parameters.has('force')) members.set('force', textOf(given, 'force', 'false'));
    return { verb: 'apply', texts: [body?.text ?? '{}', literalOf(conversion, members, call)] };
  }
  if (options !== undefined && type === undefined) addRequestOptions(conversion, members, options);
  if (type !== undefined) members.set('type', `'${type}'`);
  const last = members.size === 0 ? [] : [literalOf(conversion, members, call)];
  return { texts: [name, body?.text ?? '{}', ...last] };
}

function isArray(conversion: Conversion, node: ts.Expression): boolean {
  const value = ts.isIdentifier(node) ? (initializerOf(conversion, node) ?? node) : node;
  return (
    ts.isArrayLiteralExpression(value) ||
    conversion.checker.isArrayType(conversion.checker.getTypeAtLocation(node))
  );
}

/** Annotates the variable of a JSON patch, whose literals are strings otherwise. */
export function annotatePatch(conversion: Conversion, node: ts.Node): string | undefined {
  if (!ts.isVariableDeclaration(node) || node.type !== undefined || node.initializer === undefined)
    return undefined;
  if (!ts.isArrayLiteralExpression(node.initializer) || !ts.isIdentifier(node.name)) return undefined;
  const [first] = node.initializer.elements;
  const isPatch =
    first !== undefined &&
    ts.isObjectLiteralExpression(first) &&
    ['op', 'path'].every((name) =>
      first.properties.some((each) => each.name?.getText().replace(/["']/g, '') === name),
    );
  if (!isPatch) return undefined;
  const value = conversion.render(node.initializer);
  if (!conversion.isTypeScript) {
    conversion.before(["/** @type {import('@kgen/runtime').JsonPatchOperation[]} */"]);
    return `${node.name.text} = ${value}`;
  }
  return `${node.name.text}: ${conversion.use('@kgen/runtime', 'JsonPatchOperation', true)}[] = ${value}`;
}

/** Members of responses before 1.0. */
export function convertResponse(conversion: Conversion, node: ts.Node): string | undefined {
  if (ts.isVariableDeclaration(node)) return convertDestructured(conversion, node);
  if (!ts.isPropertyAccessExpression(node) || !isResponse(conversion, node.expression)) return undefined;
  const isParenthesized =
    ts.isParenthesizedExpression(node.expression) && !ts.isPropertyAccessExpression(node.parent);
  const own = isParenthesized ? node.expression.expression : node.expression;
  if (node.name.text === 'body') return conversion.render(own);
  if (node.name.text === 'response') conversion.report(node, 'calls return objects, not responses');
  return undefined;
}

function convertDestructured(conversion: Conversion, node: ts.VariableDeclaration): string | undefined {
  if (!ts.isObjectBindingPattern(node.name) || node.initializer === undefined) return undefined;
  const [only, ...more] = node.name.elements;
  const name = only === undefined ? undefined : (only.propertyName ?? only.name).getText();
  if (only === undefined || name !== 'body' || more.length > 0 || !isResponse(conversion, node.initializer))
    return undefined;
  return `${conversion.render(only.name)} = ${conversion.render(node.initializer)}`;
}

/** Returns whether an expression is the response of a call that is converted. */
function isResponse(conversion: Conversion, expression: ts.Expression): boolean {
  const node = bare(expression);
  if (ts.isCallExpression(node)) return isRequest(conversion, node);
  if (!ts.isIdentifier(node)) return false;
  const declaration = conversion.symbolOf(node)?.valueDeclaration;
  if (declaration === undefined) return false;
  if (ts.isVariableDeclaration(declaration))
    return declaration.initializer !== undefined && isResponse(conversion, declaration.initializer);
  return ts.isParameter(declaration) && isCallback(conversion, declaration);
}

/** Returns whether a parameter receives the response in `.then((response) => …)`. */
function isCallback(conversion: Conversion, { parent }: ts.ParameterDeclaration): boolean {
  const call = parent.parent;
  if (!ts.isCallExpression(call) || call.arguments[0] !== parent) return false;
  const { expression: callee } = call;
  return (
    ts.isPropertyAccessExpression(callee) &&
    callee.name.text === 'then' &&
    isResponse(conversion, callee.expression)
  );
}

function isRequest(conversion: Conversion, call: ts.CallExpression): boolean {
  if (apiCallOf(conversion, call) !== undefined) return true;
  if (!ts.isPropertyAccessExpression(call.expression)) return false;
  return /^(KubernetesObjectApi|CustomObjectsApi)$/.test(
    classOf(conversion, call.expression.expression) ?? '',
  );
}
