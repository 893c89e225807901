/** Paths of the API in programs: clients and informers of their resources. */
import { ts } from 'ts-morph';
import { initializerOf } from '../calls/parameters.ts';
import type { Conversion } from '../state/conversion.ts';
import { resourceOfPath } from '../tables/groups.ts';

/** A resource that a path names. */
export interface PathResource {
  /** Accessors, such as `coreV1.pods`; `undefined` for custom resources. */
  readonly accessor: string | undefined;
  readonly isNamespaced: boolean;
  /** Expression of the namespace; `undefined` for all. */
  readonly namespace: string | undefined;
  /** Literal of the group, version and plural. */
  readonly name: string;
}

/** Returns the resource of an expression: a literal, a template, or a variable with one of them. */
export function pathResource(conversion: Conversion, node: ts.Expression): PathResource | undefined {
  const value = ts.isIdentifier(node) ? initializerOf(conversion, node) : node;
  if (value === undefined) return undefined;
  const pattern = patternOf(conversion, value);
  if (pattern === undefined) return undefined;
  const [path = ''] = pattern.text.split('?');
  const expressionOf = (segment: string | undefined) =>
    segment === undefined ? undefined : (pattern.holes.get(segment) ?? `'${segment}'`);
  const place = resourceOfPath(path);
  if (place !== undefined) {
    const { group, kind } = place;
    const name = `{ group: '${groupName(group.entry)}', version: '${group.entry.split('/')[1]}', resource: '${kind.accessor.toLowerCase()}' }`;
    const accessor = `${group.accessor}.${kind.accessor}`;
    return { accessor, isNamespaced: kind.isNamespaced, namespace: expressionOf(place.namespace), name };
  }
  return customResource(path, expressionOf);
}

const groupName = (entry: string): string => (entry.startsWith('core/') ? '' : (entry.split('/')[0] ?? ''));

function customResource(
  path: string,
  expressionOf: (segment: string | undefined) => string | undefined,
): PathResource | undefined {
  const parts = /^\/apis\/([^/]+)\/([^/]+)\/(?:namespaces\/([^/]+)\/)?([^/]+)$/.exec(path);
  if (parts === null) return undefined;
  const [, group, version, namespace, plural] = parts;
  const [a, b, c] = [group, version, plural].map(expressionOf);
  const name = `{ group: ${a}, version: ${b}, resource: ${c} }`;
  return { accessor: undefined, isNamespaced: true, namespace: expressionOf(namespace), name };
}

/** Returns a path with marks in place of the expressions of a template. */
function patternOf(conversion: Conversion, node: ts.Expression) {
  const holes = new Map<string, string>();
  if (ts.isStringLiteralLike(node)) return { text: node.text, holes };
  if (!ts.isTemplateExpression(node)) return undefined;
  let text = node.head.text;
  for (const { expression, literal } of node.templateSpans) {
    const mark = `${'\u0001'}${holes.size}`;
    holes.set(mark, conversion.render(expression));
    text += mark + literal.text;
  }
  return { text, holes };
}

/** Returns the client of a resource. */
export function clientOf(conversion: Conversion, clientset: string, resource: PathResource): string {
  const { accessor, namespace, name } = resource;
  if (accessor !== undefined) return `${clientset}.${accessor}(${namespace ?? ''})`;
  const all = `new ${conversion.use('@kgen/runtime/dynamic', 'DynamicClient')}(${clientset}).resource(${name})`;
  return namespace === undefined ? all : `${all}.namespace(${namespace})`;
}
