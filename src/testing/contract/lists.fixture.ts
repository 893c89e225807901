/** A player of all combinations of the options of lists and watches, which prints the responses in short. */
import { setTimeout } from 'node:timers/promises';
import type { ClusterConfig } from '@kgen/runtime';
import { array, at, type Json, type JsonObject, text } from '../../schema/values/json.ts';
import { type Exchange, type Step, send } from './exchange.fixture.ts';
import { join, listQueries, things, watchPaths, watchQueries } from './list-queries.fixture.ts';

/** Responses by request, as the player prints them. */
export type Outcomes = Readonly<Record<string, string>>;

/**
 * Flags of kube-apiserver for the tables: shard selectors, and exact lists that etcd serves, so that a
 * compaction has an effect at once.
 */
export const listFlags: readonly string[] = [
  '--feature-gates=ShardedListAndWatch=true,ListFromCacheSnapshot=false',
];

/** The tables of responses, recorded from kube-apiserver with these flags. */
export type ListTables = Readonly<Record<'lists' | 'watches' | 'compacted', Outcomes>>;

/**
 * Plays all tables.
 * @param endWatches called when all watches are open and have 1 second left
 * @param compact compacts the history
 */
export async function playTables(
  config: ClusterConfig,
  compact: () => Promise<void>,
  endWatches: () => Promise<void> = async () => {},
): Promise<ListTables> {
  const versions = await prepareLists(config);
  const lists = await playLists(config, versions);
  const [watches] = await Promise.all([playWatches(config, versions), endWatches()]);
  // The version of the last write is compacted too.
  await send(config, { method: 'POST', path: things, body: thing('g', '2', 'blue') });
  await compact();
  await expired(config, versions);
  return { lists, watches, compacted: await playLists(config, versions) };
}

/** The cache of a real server drops compacted versions a moment after etcd. */
async function expired(config: ClusterConfig, versions: ReadonlyMap<string, string>): Promise<void> {
  const path = fill(`${things}?resourceVersion={last}&resourceVersionMatch=Exact`, versions);
  const { code } = await send(config, { method: 'GET', path });
  if (code === 410) return;
  await setTimeout(50);
  await expired(config, versions);
}

/** Creates the definition and the history of the objects, and returns the version of each write by name. */
async function prepareLists(config: ClusterConfig): Promise<ReadonlyMap<string, string>> {
  const versions = new Map<string, string>();
  const write = async (name: string, step: Step): Promise<void> => {
    const { code, body } = await send(config, step);
    if (code >= 300) throw new Error(`${step.method} ${step.path}: ${code} ${body}`);
    versions.set(name, text(JSON.parse(body) as Json, 'metadata', 'resourceVersion'));
  };
  await write('crd', {
    method: 'POST',
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    body: definition,
  });
  await write('namespace', { method: 'POST', path: '/api/v1/namespaces', body: namespace });
  await served(config);
  for (const [name, x, colour] of objects)
    await write(name, { method: 'POST', path: things, body: thing(name, x, colour) });
  const merge = 'application/merge-patch+json';
  const label = (x: string | null): Json => ({ metadata: { labels: { x } } });
  const patch = (name: string, body: Json): Step => ({
    method: 'PATCH',
    path: `${things}/${name}`,
    body,
    type: merge,
  });
  await write('b2', patch('b', label('1')));
  await write('c2', patch('c', { spec: { colour: 'blue' } }));
  await send(config, { method: 'DELETE', path: `${things}/d` });
  await write('a2', patch('a', label(null)));
  await write('last', { method: 'POST', path: things, body: thing('f', '1', 'red') });
  versions.set('future', String(Number(versions.get('last')) + 1_000_000));
  return versions;
}

const objects = [
  ['a', '1', 'red'],
  ['b', '2', 'red'],
  ['c', '1', 'red'],
  ['d', '1', 'red'],
  ['e', '2', 'blue'],
] as const;

const namespace: JsonObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'lists' } };
const definition: JsonObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.lists.example.com' },
  spec: {
    group: 'lists.example.com',
    scope: 'Namespaced',
    names: { kind: 'Thing', plural: 'things' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        selectableFields: [{ jsonPath: '.spec.colour' }],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { colour: { type: 'string' }, size: { type: 'integer' } } },
            },
          },
        },
      },
    ],
  },
};

function thing(name: string, x: string, colour: string): JsonObject {
  return {
    apiVersion: 'lists.example.com/v1',
    kind: 'Thing',
    metadata: { name, labels: { x } },
    spec: { colour },
  };
}

/** A real server serves a new definition after a moment, during which it restarts its cache. */
async function served(config: ClusterConfig): Promise<void> {
  const { code } = await send(config, { method: 'GET', path: things });
  if (code === 200) return;
  await setTimeout(50);
  await served(config);
}

/** Sends all lists and returns the outcomes by query. */
async function playLists(config: ClusterConfig, versions: ReadonlyMap<string, string>): Promise<Outcomes> {
  const outcomes = listQueries().map(async (each): Promise<[string, string]> => {
    const path = fill(`${things}?${each}`, versions);
    return [each, printList(await send(config, { method: 'GET', path }), versions)];
  });
  return Object.fromEntries(await Promise.all(outcomes));
}

/** Opens all watches, which end after a second, and returns the outcomes by query or path. */
async function playWatches(config: ClusterConfig, versions: ReadonlyMap<string, string>): Promise<Outcomes> {
  const paths = [
    ...watchQueries().map((each): [string, string] => [each, join(`${things}?watch=true`, each)]),
    ...watchPaths.map((each): [string, string] => [each, each]),
  ];
  const outcomes = paths.map(async ([name, path]): Promise<[string, string]> => {
    const timeout = `${path.includes('?') ? '&' : '?'}timeoutSeconds=1`;
    const filled = fill(path.includes('timeoutSeconds') ? path : path + timeout, versions);
    return [name, printWatch(await send(config, { method: 'GET', path: filled }), versions)];
  });
  return Object.fromEntries(await Promise.all(outcomes));
}

function fill(path: string, versions: ReadonlyMap<string, string>): string {
  const version = (name: string): string => versions.get(name) ?? name;
  const [base = '', ...rest] = path.split('?');
  const search = rest
    .join('?')
    .replaceAll(/\{rv:([^:]*):([^}]*)\}/g, (_, name: string, key: string) =>
      tokenOf(Number(version(name)), key),
    )
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => version(name));
  return rest.length === 0 ? base : `${base}?${escapeSearch(search)}`;
}

function escapeSearch(search: string): string {
  return search
    .split('&')
    .map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return value.length === 0 ? name : `${name}=${encodeURIComponent(value.join('='))}`;
    })
    .join('&');
}

function tokenOf(revision: number, key: string): string {
  const start = key === '' ? '' : `${key}\u0000`;
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start })).toString('base64url');
}

type Names = (version: string) => string;

/** Returns the name of a version: that of the write, or `now` from the last write on. */
function naming(versions: ReadonlyMap<string, string>): Names {
  const names = new Map([...versions].map(([name, version]) => [version, name]));
  const last = Number(versions.get('last'));
  return (version) => (Number(version) >= last ? 'now' : (names.get(version) ?? '?'));
}

function printList({ code, body }: Exchange, versions: ReadonlyMap<string, string>): string {
  const list = parse(body);
  if (code !== 200) return printStatus(code, list, versions);
  const named = naming(versions);
  const items = array(list, 'items').map((item) => printObject(item, named));
  const metadata = at(list, 'metadata');
  const token = text(metadata, 'continue');
  const remaining = at(metadata, 'remainingItemCount');
  const shard = text(metadata, 'shardInfo', 'selector');
  return [
    `${items.join(' ')} at ${named(text(metadata, 'resourceVersion'))}`,
    ...(token === '' ? [] : [printToken(token, named)]),
    ...(remaining === undefined ? [] : [`remaining ${Number(remaining)}`]),
    ...(shard === '' ? [] : [`shards ${shard}`]),
  ].join('; ');
}

function printToken(token: string, named: Names): string {
  const value = parse(Buffer.from(token, 'base64url').toString());
  const version = Number(at(value, 'rv'));
  return `continue after ${text(value, 'start').replace(/^\/|\0$/g, '')} at ${version < 0 ? version : named(String(version))}`;
}

function printObject(item: Json, named: Names): string {
  return `${text(item, 'metadata', 'name')}@${named(text(item, 'metadata', 'resourceVersion'))}`;
}

function printStatus(code: number, status: Json, versions: ReadonlyMap<string, string>): string {
  const token = text(status, 'metadata', 'continue');
  const causes = array(status, 'details', 'causes').map(
    (cause) => `${text(cause, 'reason')} ${text(cause, 'field')}`,
  );
  return [
    `${code} ${text(status, 'reason')}: ${mask(text(status, 'message'), versions)}`,
    ...causes,
    ...(token === '' ? [] : [printToken(token, naming(versions))]),
  ].join('; ');
}

/** Versions in messages differ between runs. */
function mask(message: string, versions: ReadonlyMap<string, string>): string {
  const named = new Map([...versions].map(([name, version]) => [version, name]));
  return (
    message
      .replaceAll(/\d{3,}/g, (digits) => (named.has(digits) ? `<${named.get(digits)}>` : digits))
      .replace(/(?<=too old resource version: .* \().*(?=\))/, '<version>')
      .replace(/(?<=current: ).*/, '<version>')
      // The messages of parsers differ.
      .replace(/(?<=continue key is not valid: )(?:invalid character|Unexpected token).*/, '<cause>')
      .replace(/(?<=CEL parse error: ).*/, '<cause>')
  );
}

function printWatch({ code, body }: Exchange, versions: ReadonlyMap<string, string>): string {
  if (code !== 200) return printStatus(code, parse(body), versions);
  const named = naming(versions);
  return body
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => printEvent(parse(line), named, versions))
    .filter((printed) => printed !== '')
    .join(' ');
}

const signs: Readonly<Record<string, string>> = { ADDED: '+', MODIFIED: '~', DELETED: '-' };

function printEvent(event: Json, named: Names, versions: ReadonlyMap<string, string>): string {
  const type = text(event, 'type');
  const object = at(event, 'object') ?? null;
  if (type === 'ERROR') return `ERROR ${printStatus(Number(at(object, 'code')), object, versions)}`;
  if (type !== 'BOOKMARK') return `${signs[type]}${printObject(object, named)}`;
  const end = text(object, 'metadata', 'annotations', 'k8s.io/initial-events-end');
  // Other bookmarks depend on the time.
  return end === 'true' ? `end@${named(text(object, 'metadata', 'resourceVersion'))}` : '';
}

function parse(body: string): Json {
  try {
    // Responses are only printed.
    return JSON.parse(body) as Json;
  } catch {
    return { message: body };
  }
}
