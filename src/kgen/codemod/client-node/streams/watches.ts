/** `Watch`: a loop over the events takes the place of callbacks. */
import { ts } from 'ts-morph';
import { isNothing, literalOf, type Members } from '../calls/parameters.ts';
import type { Conversion } from '../state/conversion.ts';
import { classOf } from '../state/library.ts';
import { clientOf, pathResource } from './paths.ts';
import { bodyLines, callbackLines, isLoopBody, type StatementCall, statementCall } from './statements.ts';

/** Converts a statement with `watch.watch(path, query, callback, done)`. */
export function convertWatch(conversion: Conversion, node: ts.Node): string | undefined {
  if (conversion.continued.has(node)) return 'continue;';
  const found = statementCall(conversion, node);
  if (found === undefined) return undefined;
  const { call, target } = found;
  const { expression: callee } = call;
  if (!ts.isPropertyAccessExpression(callee) || callee.name.text !== 'watch') return undefined;
  if (classOf(conversion, callee.expression) !== 'Watch') return undefined;
  const [path, query, callback, done] = call.arguments;
  const resource = path && pathResource(conversion, path);
  const options = queryOptions(conversion, query, callback);
  if (resource === undefined || options === undefined || callback === undefined) return undefined;
  const controller = controllerOf(conversion, node, found);
  if (controller !== undefined) options.set('signal', `${controller}.signal`);
  const client = clientOf(conversion, conversion.render(callee.expression), resource);
  const prefix = `${conversion.unit}for await (const { type, object } of ${client}.watch(`;
  const list = options.size === 0 ? '' : literalOf(conversion, options, node, prefix, 1);
  const loop = loopText(conversion, node, `${client}.watch(${list})`, callback);
  const end =
    done === undefined || isNothing(done)
      ? ''
      : `.then(() => undefined, (error) => error).then(${conversion.moved(done, node)})`;
  if (controller !== undefined) conversion.before(controllerLines(controller, target));
  conversion.after(callbackLines(conversion, found, node));
  conversion.note(call, 'Watch is the loop over watch() of a resource');
  return `void (async () => {\n${loop}\n${conversion.indentOf(node)}})()${end};`;
}

/** Returns the variable of the controller that ends a stream: the program's, or one for its property. */
export function controllerOf(
  conversion: Conversion,
  place: ts.Node,
  { target, result }: StatementCall,
): string | undefined {
  const isVariable = /^(const|let|var) \w+ = $/.test(target);
  return result === undefined || isVariable ? result : conversion.fresh('controller', place);
}

/** Returns the statements that create a controller. */
export function controllerLines(controller: string, target: string): readonly string[] {
  const created = 'new AbortController();';
  if (/^(const|let|var) /.test(target)) return [`${target}${created}`];
  return [`const ${controller} = ${created}`, `${target}${controller};`];
}

/** Reports a watch that is not a statement of its own, or whose path is not known. */
export function reportWatch(conversion: Conversion, node: ts.Node): undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const { expression, name } = node.expression;
  if (name.text === 'watch' && classOf(conversion, expression) === 'Watch')
    conversion.report(node, 'write this watch as `for await (const event of client.watch())`');
  return undefined;
}

function queryOptions(
  conversion: Conversion,
  query: ts.Expression | undefined,
  callback: ts.Expression | undefined,
): Members | undefined {
  const members: Members = new Map();
  if (callback?.getText().includes('BOOKMARK')) members.set('bookmarks', 'true');
  if (query === undefined || isNothing(query)) return members;
  if (!ts.isObjectLiteralExpression(query)) return undefined;
  for (const member of query.properties) {
    const name = member.name?.getText() ?? '';
    if (/^(allowWatchBookmarks|watch|pretty)$/.test(name)) continue;
    if (!/^(labelSelector|fieldSelector|resourceVersion)$/.test(name)) {
      conversion.report(member, `${name || 'this parameter'} of watches has no equivalent`);
      continue;
    }
    members.set(name, ts.isPropertyAssignment(member) ? conversion.render(member.initializer) : name);
  }
  return members;
}

function loopText(conversion: Conversion, place: ts.Node, events: string, callback: ts.Expression): string {
  const indent = conversion.indentOf(place) + conversion.unit;
  const isFunction = ts.isArrowFunction(callback) || ts.isFunctionExpression(callback);
  if (!isFunction || !isLoopBody(conversion, callback)) {
    const text = isFunction ? `(${conversion.moved(callback, place)})` : conversion.render(callback);
    const count = isFunction ? callback.parameters.length : 3;
    const values = ['event.type', 'event.object', 'event'].slice(0, count).join(', ');
    return `${indent}for await (const event of ${events}) ${text}(${values});`;
  }
  const [type, object, whole] = callback.parameters.map(({ name }) => name.getText());
  const body = bodyLines(conversion, callback, place, 2);
  const parts = [
    ...(type === undefined ? [] : [type === 'type' ? 'type' : `type: ${type}`]),
    ...(object === undefined ? [] : [object === 'object' ? 'object' : `object: ${object}`]),
  ];
  const names = `{ ${parts.join(', ')} }`;
  if (whole === undefined || !new RegExp(`\\b${whole}\\b`).test(callback.body.getText()))
    return `${indent}for await (const ${names} of ${events}) {\n${body}\n${indent}}`;
  // The third parameter of the callback has the type `any`.
  const inner = indent + conversion.unit;
  const typed = conversion.isTypeScript
    ? `const ${whole}: any = event;`
    : `/** @type {any} */\n${inner}const ${whole} = event;`;
  return `${indent}for await (const event of ${events}) {\n${inner}const ${names} = event;\n${inner}${typed}\n${body}\n${indent}}`;
}
