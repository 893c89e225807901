/** Rules about the responses of a server that hold for every sequence. */
import type { ServerSnapshot, TestServer } from '@kgen/testserver';
import { array, isObject, type Json, object, text } from '../../src/schema/values/json.ts';
import { eventsIn, Player, readBody } from './play.ts';
import type { Port, ReceivedResponse, SentRequest } from './port.ts';
import type { Step } from './step.ts';

/** Plays sequences and returns what is inconsistent. */
export class Invariants {
  readonly #port: Port;
  readonly #server: TestServer;
  readonly #empty: ServerSnapshot;

  constructor(port: Port, server: TestServer) {
    this.#port = port;
    this.#server = server;
    this.#empty = server.snapshot();
  }

  async play(steps: readonly Step[], namespace: string): Promise<readonly string[]> {
    this.#server.restore(this.#empty);
    const mistakes: string[] = [];
    const checked: Port = {
      ...this.#port,
      send: async (request) => {
        const response = await this.#port.send(request);
        mistakes.push(...failuresIn(request, response));
        return response;
      },
    };
    const player = new Player(checked, namespace);
    await player.step(createNamespace(namespace));
    const start = text(await this.#get(`/api/v1/namespaces/${namespace}`), 'metadata', 'resourceVersion');
    for (const step of steps) await player.step(step);
    for (const collection of collectionsOf(steps, namespace))
      mistakes.push(...(await this.#replayed(collection, start)));
    return [...mistakes, ...(await this.#restored(steps, namespace))];
  }

  async #get(path: string, query: SentRequest['query'] = []): Promise<Json> {
    const { body } = await this.#port.send({ method: 'GET', path, query, headers: {}, body: undefined });
    return query.some(([name]) => name === 'watch') ? eventsIn(body) : readBody(body);
  }

  /** A cache that follows the events since the beginning equals a list. */
  async #replayed(collection: string, start: string): Promise<readonly string[]> {
    const list = await this.#get(collection);
    // The path of a mistake, or of a definition that is not served.
    if (!text(list, 'kind').endsWith('List')) return [];
    const events = await this.#get(collection, [
      ['watch', 'true'],
      ['resourceVersion', start],
      ['timeoutSeconds', '1'],
    ]);
    const objects = new Map<string, string>();
    const mistakes: string[] = [];
    let last = 0;
    for (const event of array(events)) {
      const { type = '', object: value = {} } = isObject(event) ? event : {};
      const version = Number(text(value, 'metadata', 'resourceVersion'));
      if (version <= last) mistakes.push(`${collection}: event ${version} after ${last}`);
      last = version;
      if (type === 'DELETED') objects.delete(keyOf(value));
      else objects.set(keyOf(value), JSON.stringify(value));
    }
    for (const item of array(list, 'items').filter(
      (each) => Number(text(each, 'metadata', 'resourceVersion')) > Number(start),
    )) {
      const seen = objects.get(keyOf(item));
      if (
        text(JSON.parse(seen ?? '{}') as Json, 'metadata', 'resourceVersion') !==
        text(item, 'metadata', 'resourceVersion')
      )
        mistakes.push(`${collection}: ${keyOf(item)} of the list is not in the events`);
      objects.delete(keyOf(item));
      mistakes.push(...managerMistakes(item));
    }
    return [
      ...mistakes,
      ...[...objects.keys()].map((key) => `${collection}: ${key} of the events is not in the list`),
    ];
  }

  /** A snapshot has every object, also after other writes. */
  async #restored(steps: readonly Step[], namespace: string): Promise<readonly string[]> {
    const collections = collectionsOf(steps, namespace);
    const read = (): Promise<readonly Json[]> => Promise.all(collections.map((path) => this.#get(path)));
    const before = await read();
    const snapshot = this.#server.snapshot();
    for (const path of collections)
      await this.#port.send({ method: 'DELETE', path, query: [], headers: {}, body: undefined });
    this.#server.restore(snapshot);
    const after = await read();
    return collections
      .filter((_, index) => items(before[index]) !== items(after[index]))
      .map((path) => `${path}: differs after restore`);
  }
}

function createNamespace(name: string): Step {
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  return { method: 'POST', path: '/api/v1/namespaces', body };
}

/** Returns the namespaced collections that steps write. */
function collectionsOf(steps: readonly Step[], namespace: string): readonly string[] {
  const paths = steps.flatMap(({ path }) => /^.*\/namespaces\/\{ns\}\/[a-z]+(?=\/|$)/.exec(path) ?? []);
  return [...new Set(paths)].map((path) => path.replaceAll('{ns}', namespace));
}

function items(list: Json | undefined): string {
  return JSON.stringify(array(list, 'items'));
}

function keyOf(value: Json): string {
  return `${text(value, 'metadata', 'namespace')}/${text(value, 'metadata', 'name')}`;
}

/** Other failures of a server have no reason: a real server responds with them, too. */
function failuresIn({ method, path }: SentRequest, { status, body }: ReceivedResponse): readonly string[] {
  const isReplicas = body.includes('replicas field');
  if (status !== 501 && (text(readBody(body), 'reason') !== 'InternalError' || isReplicas)) return [];
  return [`${method} ${path}: ${status} ${body.slice(0, 300)}`];
}

/** Managers are unique, own something, and have names; fields of the server have no owner. */
function managerMistakes(value: Json): readonly string[] {
  const entries = array(value, 'metadata', 'managedFields');
  const identity = (entry: Json): string =>
    ['manager', 'operation', 'apiVersion', 'subresource'].map((key) => text(entry, key)).join(' ');
  const names = entries.map(identity);
  return [
    ...(new Set(names).size === names.length ? [] : [`${keyOf(value)}: a manager has two entries`]),
    ...entries.flatMap((entry, index) => {
      const fields = object(entry, 'fieldsV1');
      const isEmpty = Object.keys(fields).length === 0;
      const owned = Object.keys(object(fields, 'f:metadata'));
      const wrong = ['f:uid', 'f:resourceVersion', 'f:managedFields', 'f:creationTimestamp'].filter((key) =>
        owned.includes(key),
      );
      return [
        ...(isEmpty ? [`${keyOf(value)}: ${names[index]} owns nothing`] : []),
        ...wrong.map((key) => `${keyOf(value)}: ${names[index]} owns ${key}`),
      ];
    }),
  ];
}
