/** Compares the requests of clients with the operations of OpenAPI documents. */
import type { APIRequest } from '@kgen/runtime/rest';
import { concretePath } from './arguments.ts';
import type { Call } from './calls.ts';
import {
  forms,
  leftOut,
  type MediaType,
  notDocumented,
  notOffered,
  notSent,
  type Parameter,
} from './exceptions.ts';
import { kindText, membersOf, type Operation, textOf } from './operations.ts';

/** Differences between clients and documents; each list is empty if they agree. */
export interface Findings {
  /** Operations that no method requests and no exception names. */
  readonly missed: readonly string[];
  /** Operations that an exception names although a method requests them. */
  readonly needless: readonly string[];
  /** Requests that match no operation. */
  readonly outside: readonly string[];
  /** Operations that several methods request, except variants of one method. */
  readonly shared: readonly string[];
  /** Methods that send no request. */
  readonly idle: readonly string[];
  /** Query parameters that the documents do not have. */
  readonly undocumented: readonly string[];
  /** Query parameters of the documents that no method sends. */
  readonly unreachable: readonly string[];
  /** Options that a request does not pass on unchanged. */
  readonly lost: readonly string[];
  /** Bodies whose media type or kind differs from the documents. */
  readonly bodies: readonly string[];
  /** Media types of patches that no method sends. */
  readonly unsent: readonly string[];
  /** Exceptions that are no longer needed. */
  readonly stale: readonly string[];
}

export const nothing: Findings = {
  missed: [],
  needless: [],
  outside: [],
  shared: [],
  idle: [],
  undocumented: [],
  unreachable: [],
  lost: [],
  bodies: [],
  unsent: [],
  stale: [],
};

/** One request of one call, and its operation. */
interface Hit {
  readonly call: Call;
  readonly request: APIRequest;
  readonly operation: Operation;
}

export function compare(operations: ReadonlyMap<string, Operation>, calls: readonly Call[]): Findings {
  const byAddress = new Map([...operations.values()].map((one) => [addressOf(one), one]));
  const requested = calls.flatMap((call) => call.requests.map((request) => ({ call, request })));
  const hits = requested.flatMap(({ call, request }): readonly Hit[] => {
    const operation = byAddress.get(`${request.method} ${request.path}`);
    return operation === undefined ? [] : [{ call, request, operation }];
  });
  const hitsOf = grouped(hits);
  const all = [...operations.values()];
  const excepted = all.filter((operation) => leftOut.some(({ is }) => is(operation)));
  const exceptions = new Exceptions();
  const hitOperations = all.filter(({ id }) => hitsOf.has(id));
  return {
    missed: idsOf(all.filter((one) => !hitsOf.has(one.id) && !excepted.includes(one))),
    needless: idsOf(excepted.filter(({ id }) => hitsOf.has(id))),
    outside: unique(
      requested
        .filter(({ request }) => !byAddress.has(`${request.method} ${request.path}`))
        .map(({ call, request }) => `${callText(call)}: ${request.method} ${request.path}`),
    ),
    shared: hitOperations.flatMap(({ id }) => sharing(id, hitsOf.get(id) ?? [], exceptions)),
    idle: unique(calls.filter(({ requests }) => requests.length === 0).map(callText)),
    undocumented: unique(hits.flatMap((hit) => undocumentedIn(hit, exceptions))),
    unreachable: hitOperations.flatMap((one) => unreachable(one, hitsOf.get(one.id) ?? [], exceptions)),
    lost: unique(hits.flatMap(lostIn)),
    bodies: unique(hits.flatMap(bodyFaults)),
    unsent: hitOperations.flatMap((one) => unsent(one, hitsOf.get(one.id) ?? [], exceptions)),
    stale: exceptions.stale(all),
  };
}

function grouped(hits: readonly Hit[]): ReadonlyMap<string, readonly Hit[]> {
  const groups = new Map<string, Hit[]>();
  for (const hit of hits) {
    const group = groups.get(hit.operation.id);
    if (group === undefined) groups.set(hit.operation.id, [hit]);
    else group.push(hit);
  }
  return groups;
}

function addressOf({ method, path }: Operation): string {
  return `${method} ${concretePath(path)}`;
}

function idsOf(operations: readonly Operation[]): readonly string[] {
  return operations.map(({ id }) => id);
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

function callText({ of, method }: Call): string {
  return `${of}.${method}`;
}

/** Exceptions, with a record of those that were needed. */
class Exceptions {
  readonly #needed: Set<string> = new Set();

  /** Returns true if `list` has the parameter. */
  allows(list: readonly Parameter[], name: string, { action, path }: Operation): boolean {
    const isMeant = (one: Parameter): boolean =>
      one.name === name && one.actions.includes(action) && (one.paths ?? /^/).test(path);
    const entry = list.find(isMeant);
    if (entry !== undefined) this.#needed.add(entryText(entry, action));
    return entry !== undefined;
  }

  allowsType(type: string, { path }: Operation): boolean {
    const entry = notSent.find((one) => one.type === type && one.paths.test(path));
    if (entry !== undefined) this.#needed.add(mediaText(entry));
    return entry !== undefined;
  }

  /** Returns true if `method` may send the requests of `main`. */
  allowsForm(main: string, method: string): boolean {
    const isForm = forms[main]?.includes(method) === true;
    if (isForm) this.#needed.add(formText(main, method));
    return isForm;
  }

  /** Returns the exceptions that no operation needed. */
  stale(operations: readonly Operation[]): readonly string[] {
    const isLasting = ({ sometimes }: { readonly sometimes?: boolean }): boolean => sometimes !== true;
    const parameters = [...notOffered, ...notDocumented].filter(isLasting);
    const texts = parameters.flatMap((one) => one.actions.map((action) => entryText(one, action)));
    const pairs = Object.entries(forms).flatMap(([main, all]) => all.map((one) => formText(main, one)));
    const types = notSent.filter(isLasting).map(mediaText);
    return [
      ...[...texts, ...pairs, ...types].filter((text) => !this.#needed.has(text)),
      ...leftOut.filter(({ is }) => !operations.some(is)).map(({ why }) => why),
    ];
  }
}

function entryText({ name, paths, why }: Parameter, action: string): string {
  return `${name} of ${action} ${paths ?? ''}: ${why}`;
}

function formText(main: string, method: string): string {
  return `${method} beside ${main}`;
}

function mediaText({ type, paths }: MediaType): string {
  return `${type} to ${paths}`;
}

/**
 * Returns the methods of an operation that has several owners: two clients, or two methods of which neither
 * is a variant of the other.
 */
function sharing(id: string, hits: readonly Hit[], exceptions: Exceptions): readonly string[] {
  const names = new Set(hits.map(({ call }) => callText(call)));
  const isForm = ({ of, method }: Call): boolean =>
    Object.keys(forms).some((main) => names.has(`${of}.${main}`) && exceptions.allowsForm(main, method));
  const owners = unique(hits.flatMap(({ call }) => (isForm(call) ? [] : [callText(call)])));
  return owners.length === 1 ? [] : [`${id}: ${owners.join(', ')}`];
}

function undocumentedIn({ call, request, operation }: Hit, exceptions: Exceptions): readonly string[] {
  return request.query
    .map(([name]) => name)
    .filter((name) => !operation.query.has(name))
    .filter((name) => !exceptions.allows(notDocumented, name, operation))
    .map((name) => `${callText(call)}: ${name} of ${operation.id}`);
}

/**
 * Returns the query parameters that no option reaches. The options of a deletion are sent in its body under
 * the same names.
 */
function unreachable(operation: Operation, hits: readonly Hit[], exceptions: Exceptions): readonly string[] {
  const reached = new Set(
    hits.flatMap(({ request }) => [
      ...request.query.map(([name]) => name),
      ...(request.method === 'DELETE' ? Object.keys(membersOf(bodyOf(request))) : []),
    ]),
  );
  return [...operation.query]
    .filter((name) => !reached.has(name))
    .filter((name) => !exceptions.allows(notOffered, name, operation))
    .map((name) => `${name} of ${operation.id}`);
}

function bodyOf({ body }: APIRequest): ReturnType<typeof membersOf> {
  return typeof body === 'string' ? membersOf(JSON.parse(body)) : {};
}

/** Options that are sent under another name. */
const renamed: Readonly<Record<string, string>> = {
  pageSize: 'limit',
  bookmarks: 'allowWatchBookmarks',
  as: '',
};

/**
 * Returns the options that are missing from a request. Methods with several requests pass each request its
 * own options.
 */
function lostIn({ call, request, operation }: Hit): readonly string[] {
  if (call.requests.length > 1) return [];
  const body = bodyOf(request);
  return Object.entries(call.options).flatMap(([option, value]) => {
    const name = renamed[option] ?? option;
    const values = (Array.isArray(value) ? value : [value]).map(String);
    const sent = request.query.filter(([one]) => one === name).map(([, text]) => text);
    const isSent = JSON.stringify(sent) === JSON.stringify(values);
    const isInBody = name in body && JSON.stringify([body[name]].flat()) === JSON.stringify([value].flat());
    return name === '' || isSent || isInBody ? [] : [`${callText(call)}: ${option} in ${operation.id}`];
  });
}

const patches = /^application\/(strategic-merge-patch|merge-patch|json-patch)\+json$/;

/**
 * Returns the errors of a body. A patch has a kind only if its type requires one; all other bodies name their
 * kind.
 */
function bodyFaults({ call, request, operation }: Hit): readonly string[] {
  if (request.body === undefined) return [];
  const type = request.headers['content-type'] ?? 'no media type';
  const { consumes, bodyKinds, kind } = operation;
  const isTaken = consumes.has(type) || consumes.has('*/*');
  const taken = isTaken ? [] : [`${callText(call)}: ${type} to ${operation.id}`];
  if (patches.test(type)) return taken;
  const { apiVersion, kind: name } = bodyOf(request);
  const stated = kindText('', textOf(apiVersion), textOf(name));
  const expected = bodyKinds.size > 0 ? bodyKinds : new Set([kind]);
  return expected.has(stated) ? taken : [...taken, `${callText(call)}: ${stated} to ${operation.id}`];
}

function unsent(operation: Operation, hits: readonly Hit[], exceptions: Exceptions): readonly string[] {
  const { id, method, consumes } = operation;
  if (method !== 'PATCH') return [];
  const sent = new Set(hits.map(({ request }) => request.headers['content-type']));
  return [...consumes]
    .filter((type) => type !== '*/*' && !sent.has(type) && !exceptions.allowsType(type, operation))
    .map((type) => `${type} to ${id}`);
}
