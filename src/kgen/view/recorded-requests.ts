/** Requests of recordings: those to the API server, and those by `fetch`. */
import type { ViewRequest, ViewTarget } from './format.ts';
import { type Line, parsed, textOf } from './recording-lines.ts';
import { isRecord, isSecret, lengthOf, metadataOf, type Record, shownContent } from './secrets.ts';

/** Returns a request to the API server; without a response if it has none yet. */
export function requestOf({ at, entry }: Line, response?: Line): ViewRequest {
  const { target: path, subresource } = targetOf(textOf(entry['path']));
  const verb = verbOf(entry, path);
  // The path of a creation has no name, and its body none that the server chooses.
  const name = verb === 'create' ? nameIn(response?.entry['body']) || nameIn(entry['body']) : '';
  const target = path.name === '' ? { ...path, name } : path;
  const secret = isSecret(target);
  const error = isRecord(response?.entry['error']) ? response.entry['error'] : undefined;
  const status = isRecord(error?.['status']) ? error['status']['code'] : response?.entry['status'];
  const isWrite = !readVerbs.has(verb);
  const content = response?.entry['body'];
  const result = resultOf(response);
  return {
    ...{ kind: 'request', at, verb, target, subresource, isWrite, result, faults: [] },
    ...{ process: textOf(entry['process']), user: textOf(entry['user']) },
    ...(typeof entry['run'] === 'number' && { reconcile: entry['run'] }),
    ...(typeof entry['site'] === 'string' && { site: entry['site'] }),
    ...(response !== undefined && { until: response.at }),
    ...(typeof status === 'number' && { status }),
    ...(error !== undefined && { error: `${textOf(error['name'])}: ${textOf(error['message'])}` }),
    ...(entry['body'] !== undefined && { body: shownContent(entry['body'], secret) }),
    ...(isWrite && content !== undefined && { content: shownContent(content, secret) }),
  };
}

function nameIn(object: unknown): string {
  return textOf(metadataOf(object)['name']);
}

function resultOf(response: Line | undefined): ViewRequest['result'] {
  if (response === undefined) return 'lost';
  const { result } = response.entry;
  return result === 'skipped' ? 'skipped' : result === 'error' ? 'failed' : 'done';
}

const readVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

const verbs: { readonly [method: string]: readonly [object: string, collection: string] } = {
  GET: ['get', 'list'],
  POST: ['create', 'create'],
  PUT: ['update', 'update'],
  PATCH: ['patch', 'patch'],
  DELETE: ['delete', 'deletecollection'],
};

function verbOf({ method, query, body }: Record, { name }: ViewTarget): string {
  const [ofObject, ofCollection] = verbs[textOf(method)] ?? ['', ''];
  const verb = name === '' ? ofCollection : ofObject;
  const names = Array.isArray(query)
    ? query.map((pair: unknown) => (Array.isArray(pair) ? pair[0] : ''))
    : [];
  if (verb === 'list' && names.includes('watch')) return 'watch';
  // Only an apply has `force`.
  const isApply =
    verb === 'patch' &&
    (names.includes('force') || (isRecord(body) && 'apiVersion' in body && names.includes('fieldManager')));
  return (isApply ? 'apply' : verb) || textOf(method).toLowerCase();
}

/** Returns the object of a path; the whole path as the resource if it is not one of the API. */
function targetOf(path: string): { readonly target: ViewTarget; readonly subresource: string } {
  const [, group = '', rest = ''] = /^\/(?:api|apis\/([^/]+))\/[^/]+\/(.+)$/.exec(path) ?? [];
  if (rest === '') return { target: { group: '', resource: path, namespace: '', name: '' }, subresource: '' };
  const parts = rest.split('/').map(decoded);
  const isNamespaced =
    parts[0] === 'namespaces' && parts.length > 2 && parts[2] !== 'status' && parts[2] !== 'finalize';
  const [resource = '', name = '', ...more] = isNamespaced ? parts.slice(2) : parts;
  const namespace = isNamespaced ? (parts[1] ?? '') : '';
  return { target: { group, resource, namespace, name }, subresource: more.join('/') };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // A path of the program itself may be malformed.
  }
}

/** Lines of a request by `fetch`. */
export interface FetchLines {
  readonly begin: Line;
  /** The response, or the error. */
  readonly head?: Line | undefined;
  /** The end of the body. */
  readonly end?: Line | undefined;
}

/**
 * Returns a request by `fetch`.
 * @param hidesBodies whether bodies are shown as their lengths: recordings with secrets have them complete
 */
export function fetchOf({ begin: { at, entry }, head, end }: FetchLines, hidesBodies: boolean): ViewRequest {
  const { method, url, run } = entry;
  const [, resource = '', name = ''] = /^([\w+.-]+:\/\/[^/?]+)(.*)/s.exec(textOf(url)) ?? [
    '',
    '',
    textOf(url),
  ];
  const [status, failure] = [head?.entry['status'], head?.entry['error'] ?? end?.entry['error']];
  const bodyOf = (line: Line['entry'] | undefined): unknown => shownBody(line, name, hidesBodies);
  const [body, content] = [bodyOf(entry), bodyOf(end?.entry)];
  const isFailed = failure !== undefined || (typeof status === 'number' && status >= 400);
  return {
    ...{ kind: 'request', at, process: '', user: '', verb: textOf(method), faults: [], subresource: '' },
    target: { group: '', resource, namespace: '', name },
    isWrite: !safeMethods.has(textOf(method)),
    result: head === undefined ? 'lost' : isFailed ? 'failed' : 'done',
    reconcile: Number(run),
    ...(head !== undefined && { until: (end ?? head).at }),
    ...(typeof status === 'number' && { status }),
    ...(isRecord(failure) && { error: `${textOf(failure['name'])}: ${textOf(failure['message'])}` }),
    ...(body !== undefined && { body }),
    ...(content !== undefined && { content }),
  };
}

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A service may be another API server, whose responses contain Secrets. */
function shownBody(entry: Record | undefined, path: string, isHidden: boolean): unknown {
  const body = entry?.['body'];
  if (typeof body !== 'string') return undefined;
  if (isHidden || entry?.['encoding'] === 'base64') return lengthOf(body);
  const value = parsed(body);
  return shownContent(
    isRecord(value) || Array.isArray(value) ? value : body,
    /\/secrets(?![\w-])/.test(path),
  );
}
