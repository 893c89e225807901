/** Needs of requests by path. */
import { ts } from 'ts-morph';
import type { NeedScope } from './needs.ts';
import { methodVerbs, publicPath } from './requests.ts';
import type { ResourceId } from './resources.ts';
import type { Scan } from './scan.ts';
import { memberOf, origin, stringOf } from './values.ts';

/** A call of a REST client. */
interface PathReference {
  readonly node: ts.Node;
  readonly call?: ts.CallExpression | undefined;
}

const methods: ReadonlySet<string> = new Set(['get', 'post', 'put', 'patch', 'delete']);

/** Adds the needs of a member of a REST client. */
export function pathRequest(scan: Scan, name: string, { node, call }: PathReference): void {
  const [first, options] = call?.arguments ?? [];
  const request = methods.has(name) ? byMethod(scan, name, first, options) : byRequest(scan, name, first);
  if (request !== undefined) addPath(scan, node, request);
}

function byMethod(
  { checker }: Scan,
  name: string,
  path: ts.Expression | undefined,
  options: ts.Expression | undefined,
): PathRequest {
  const parts = memberOf(checker, options, 'path');
  return { method: name.toUpperCase(), path, parts, ...kindOf(checker, options) };
}

function byRequest(
  { checker }: Scan,
  name: string,
  request: ts.Expression | undefined,
): PathRequest | undefined {
  if (name !== 'request' && name !== 'stream') return undefined;
  // `connectRequest(…)` has needs of its own.
  if (request !== undefined && isConnectRequest(checker, request)) return undefined;
  const method = stringOf(checker, memberOf(checker, request, 'method')) ?? '';
  const path = memberOf(checker, request, 'path');
  return { method, path, parts: undefined, ...kindOf(checker, request) };
}

function isConnectRequest(checker: ts.TypeChecker, node: ts.Expression): boolean {
  const value = origin(checker, node);
  if (!ts.isCallExpression(value)) return false;
  return checker.getSymbolAtLocation(value.expression)?.getName() === 'connectRequest';
}

function kindOf(
  checker: ts.TypeChecker,
  options: ts.Expression | undefined,
): Pick<PathRequest, 'isApply' | 'isWatch'> {
  const type = stringOf(checker, memberOf(checker, options, 'contentType'));
  return {
    isApply: type?.startsWith('application/apply-patch') === true,
    isWatch: hasWatch(checker, memberOf(checker, options, 'query')),
  };
}

/** Queries of `request` are pairs, those of the other methods are objects. */
function hasWatch(checker: ts.TypeChecker, query: ts.Expression | undefined): boolean {
  if (query === undefined) return false;
  const value = origin(checker, query);
  if (!ts.isArrayLiteralExpression(value)) return memberOf(checker, value, 'watch') !== undefined;
  return value.elements.some((pair) => {
    const entry = origin(checker, pair);
    return ts.isArrayLiteralExpression(entry) && stringOf(checker, entry.elements[0]) === 'watch';
  });
}

interface PathRequest {
  readonly method: string;
  readonly path: ts.Expression | undefined;
  /** Values of the parameters of a path. */
  readonly parts: ts.Expression | undefined;
  readonly isApply: boolean;
  readonly isWatch: boolean;
}

function addPath(scan: Scan, node: ts.Node, request: PathRequest): void {
  const { method, path, parts, isApply, isWatch } = request;
  const text = path && pathText(scan, path, parts);
  const found = text === undefined ? undefined : parsedPath(text);
  const verbs = methodVerbs[method];
  if (text !== undefined && found === undefined && method === 'GET' && publicPath.test(text)) return;
  if (text === undefined || found === undefined || verbs === undefined) {
    scan.unknown(node, 'a request by path');
    return;
  }
  const { resource, scopes, name, subresource } = found;
  const [one, many] = isWatch ? ['watch', 'watch'] : verbs;
  const objects = { resources: [resource], scopes };
  const names = name === undefined || name === hole ? undefined : [name];
  const reason = `${method} ${text.replaceAll(hole, '…')}`;
  scan.add(node, [name === undefined ? many : one], { ...objects, names }, reason, subresource);
  // An apply creates an object that does not exist.
  if (isApply && subresource === '') scan.add(node, ['create'], objects, reason);
}

/** Stands for a part of a path that is known at run time only. */
const hole = '\0';

/** Returns a path whose unknown segments are holes; `undefined` if more is unknown. */
function pathText(
  { checker }: Scan,
  node: ts.Expression,
  parts: ts.Expression | undefined,
): string | undefined {
  const literal = stringOf(checker, node);
  const filled = (text: string): string =>
    text.replaceAll(
      /\{(\w+)\}/g,
      (_, name: string) => stringOf(checker, memberOf(checker, parts, name)) ?? hole,
    );
  if (literal !== undefined) return filled(literal);
  const value = origin(checker, node);
  if (!ts.isTemplateExpression(value)) return undefined;
  const spans = value.templateSpans.map(
    ({ expression, literal: { text } }) => (stringOf(checker, expression) ?? hole) + text,
  );
  return value.head.text + spans.join('');
}

interface ParsedPath {
  readonly resource: ResourceId;
  readonly scopes: readonly NeedScope[];
  readonly name: string | undefined;
  readonly subresource: string;
}

function parsedPath(path: string): ParsedPath | undefined {
  const [plain = ''] = path.split('?');
  const segments = plain
    .split('/')
    .filter((segment) => segment !== '')
    .map(decoded);
  const [root, ...rest] = segments;
  if (root !== 'api' && root !== 'apis') return undefined;
  const group = root === 'api' ? '' : (rest.shift() ?? hole);
  const version = rest.shift();
  const isNamespaced = rest[0] === 'namespaces' && rest.length > 2 && !namespaceParts.has(rest[2] ?? '');
  const namespace = isNamespaced ? rest.splice(0, 2)[1] : undefined;
  const [plural, name, ...more] = rest;
  if (version === undefined || plural === undefined || [group, plural].includes(hole)) return undefined;
  const subresource = more[0] ?? '';
  if (subresource === hole) return undefined;
  const scope: NeedScope =
    namespace === undefined || namespace === hole
      ? { type: 'cluster' }
      : { type: 'namespace', name: namespace };
  return { resource: { group, plural, isNamespaced: true }, scopes: [scope], name, subresource };
}

/** Subresources of namespaces. */
const namespaceParts: ReadonlySet<string> = new Set(['status', 'finalize']);

function decoded(segment: string): string {
  if (segment.includes(hole)) return hole;
  try {
    return decodeURIComponent(segment);
  } catch {
    return hole;
  }
}
