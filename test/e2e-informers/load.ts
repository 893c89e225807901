/** Writers that change objects as fast as the server permits and record every state. */
import { setTimeout as delay } from 'node:timers/promises';
import { isApiError, isTimeoutError, isTransportError, type Stored } from '@kgen/runtime';
import type { DynamicClient, Unstructured, UnstructuredClient } from '@kgen/runtime/dynamic';
import type { Random } from '../support/random.ts';
import { versionOf } from './history.ts';

/** A kind of written objects. */
export interface LoadKind {
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  readonly apiVersion: string;
  readonly kind: string;
  /** Returns the content of an object, without metadata. */
  content(count: number): object;
}

/** Long enough that events are often split into two chunks. */
const filler = 'all work and no play '.repeat(30);

export const configMaps: LoadKind = {
  resource: { group: '', version: 'v1', resource: 'configmaps' },
  apiVersion: 'v1',
  kind: 'ConfigMap',
  content: (count) => ({ data: { count: String(count), filler } }),
};

export const myApps: LoadKind = {
  resource: { group: 'my.domain', version: 'v1', resource: 'myapps' },
  apiVersion: 'my.domain/v1',
  kind: 'MyApp',
  content: (count) => ({ spec: { appName: filler, version: String(count) } }),
};

/** Written states, and current objects. */
export class Log {
  readonly kind: LoadKind;
  /** States of each object by its uid, in order. */
  readonly states = new Map<string, Stored<Unstructured>[]>();

  constructor(kind: LoadKind) {
    this.kind = kind;
  }

  note(object: Stored<Unstructured>): void {
    const states = this.states.get(object.metadata.uid);
    if (states === undefined) this.states.set(object.metadata.uid, [object]);
    else if (states.at(-1)?.metadata.resourceVersion !== object.metadata.resourceVersion) states.push(object);
  }

  /** Returns the states that an informer with this selection delivers if it misses none. */
  versions(selects: (object: Unstructured) => boolean = () => true): readonly string[] {
    return [...this.states.values()].flat().filter(selects).map(versionOf);
  }
}

export interface LoadOptions {
  readonly client: DynamicClient;
  readonly kind: LoadKind;
  /** Namespaces, with one writer each. */
  readonly namespaces: readonly string[];
  /** Writes of each writer. */
  readonly writes: number;
  readonly random: Random;
  /** Called after each write. */
  readonly onWrite?: () => void;
}

/** Runs the writers until each has completed its writes. */
export async function load(options: LoadOptions): Promise<Log> {
  const log = new Log(options.kind);
  await Promise.all(options.namespaces.map((namespace) => new Writer(options, namespace, log).run()));
  return log;
}

/** Creates `count` objects in each namespace, half of them in each tier. */
export async function fill(
  client: DynamicClient,
  kind: LoadKind,
  namespaces: readonly string[],
  count: number,
): Promise<Log> {
  const log = new Log(kind);
  const names = Array.from({ length: count }, (_, index) => `filling-${index}`);
  const create = async (namespace: string): Promise<void> => {
    const { apiVersion, kind: type, content } = kind;
    const objects = client.resource(kind.resource).namespace(namespace);
    for (const [index, name] of names.entries()) {
      const labels = { tier: index % 2 === 0 ? 'web' : 'db' };
      log.note(
        await objects.create({ apiVersion, kind: type, metadata: { name, labels }, ...content(index) }),
      );
    }
  };
  await Promise.all(namespaces.map(create));
  return log;
}

/** Number of names that a writer uses repeatedly. */
const nameCount = 12;

/** The only writer of its names, so that their states are known. */
class Writer {
  readonly #options: LoadOptions;
  readonly #objects: UnstructuredClient;
  readonly #log: Log;
  readonly #present = new Map<string, Stored<Unstructured>>();
  #count = 0;

  constructor(options: LoadOptions, namespace: string, log: Log) {
    this.#options = options;
    this.#objects = options.client.resource(options.kind.resource).namespace(namespace);
    this.#log = log;
  }

  async run(): Promise<void> {
    const { writes, random, onWrite } = this.#options;
    while (this.#count < writes) {
      const name = `object-${random.int(nameCount)}`;
      await this.#write(name).catch((error: unknown) => this.#lookAgain(name, error));
      this.#count += 1;
      onWrite?.();
    }
  }

  async #write(name: string): Promise<void> {
    const { random } = this.#options;
    const known = this.#present.get(name);
    if (known === undefined) return this.#know(await this.#objects.create(this.#object(name)));
    if (random.chance(0.8)) {
      const { resourceVersion, labels } = known.metadata;
      const changed = random.chance(0.3) ? this.#labels() : labels;
      return this.#know(await this.#objects.update(this.#object(name, { resourceVersion, labels: changed })));
    }
    await this.#objects.delete(name);
    this.#present.delete(name);
  }

  /**
   * Reads the object after a write whose response was lost, which may have succeeded or not, until the server
   * responds.
   */
  async #lookAgain(name: string, cause: unknown): Promise<void> {
    if (!isTransportError(cause) && !isTimeoutError(cause) && !(isApiError(cause) && cause.code >= 429))
      throw cause;
    const tried = await this.#objects.find(name).catch((error: unknown) => error);
    if (tried instanceof Error) return delay(20).then(() => this.#lookAgain(name, tried));
    // `find` returns an object, or `undefined` if it does not exist.
    const found = tried as Stored<Unstructured> | undefined;
    if (found === undefined) this.#present.delete(name);
    else this.#know(found);
  }

  #know(object: Stored<Unstructured>): void {
    this.#present.set(object.metadata.name, object);
    this.#log.note(object);
  }

  #object(name: string, metadata: object = { labels: this.#labels() }) {
    const { apiVersion, kind, content } = this.#options.kind;
    return { apiVersion, kind, metadata: { name, ...metadata }, ...content(this.#count) };
  }

  #labels(): Record<string, string> {
    return { tier: this.#options.random.pick(['web', 'db']) };
  }
}
