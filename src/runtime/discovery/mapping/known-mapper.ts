/** Implementation of `RESTMapper`, loaded with its first call. */

import type { GroupVersionKind, GroupVersionResource } from '../../api/group-version.ts';
import { callSafely } from '../../common/callbacks.ts';
import type {
  DiscoveryCallOptions,
  DiscoverySource,
  KindQuery,
  RESTMapper,
  RESTMapperOptions,
  RESTMapping,
  ResourceQuery,
} from '../types.ts';
import { AmbiguousMatchError, type NoMatchError } from './errors.ts';
import { KnownMappings } from './known-mappings.ts';
import { type Mappings, resourceText } from './mappings.ts';
import { equalsOfFirst, type Match, matchKind, matchResource, othersThanFirst } from './match.ts';
import { noKind, noResource } from './no-match.ts';
import { describeResource, kindQueryOf, queriesOf } from './resource-argument.ts';

/** A `RESTMapper` that uses cached discovery data. */
export class KnownMapper implements Omit<RESTMapper, 'reset'> {
  readonly #known: KnownMappings;
  readonly #onWarning: (message: string) => void;
  readonly #warned: Set<string> = new Set();

  constructor(discovery: DiscoverySource, options: RESTMapperOptions = {}) {
    const { missIntervalMs = 5000, onWarning } = options;
    this.#known = new KnownMappings(discovery, missIntervalMs);
    this.#onWarning = onWarning ?? ((message) => process.emitWarning(message, 'DiscoveryWarning'));
  }

  async mapping(kind: KindQuery, options: DiscoveryCallOptions = {}): Promise<RESTMapping> {
    return best(await this.#kinds(kind, options), `kind ${JSON.stringify(kind.kind)}`);
  }

  mappings(kind: KindQuery, options: DiscoveryCallOptions = {}): Promise<readonly RESTMapping[]> {
    return this.#kinds(kind, options);
  }

  async mappingFor(
    resource: string | ResourceQuery,
    options: DiscoveryCallOptions = {},
  ): Promise<RESTMapping> {
    const { by, mappings } = await this.#match(resource, options);
    const text = typeof resource === 'string' ? JSON.stringify(resource) : describeResource(resource);
    if (by !== 'shortName') return best(mappings, text);
    this.#warnOf(text, mappings);
    return mappings[0];
  }

  async mappingsFor(
    resource: string | ResourceQuery,
    options: DiscoveryCallOptions = {},
  ): Promise<readonly RESTMapping[]> {
    return (await this.#match(resource, options)).mappings;
  }

  async kindFor(resource: string | ResourceQuery, options?: DiscoveryCallOptions): Promise<GroupVersionKind> {
    return (await this.mappingFor(resource, options)).kind;
  }

  async kindsFor(
    resource: string | ResourceQuery,
    options?: DiscoveryCallOptions,
  ): Promise<readonly GroupVersionKind[]> {
    return (await this.mappingsFor(resource, options)).map(({ kind }) => kind);
  }

  async resourceFor(
    resource: string | ResourceQuery,
    options?: DiscoveryCallOptions,
  ): Promise<GroupVersionResource> {
    return (await this.mappingFor(resource, options)).resource;
  }

  async resourcesFor(
    resource: string | ResourceQuery,
    options?: DiscoveryCallOptions,
  ): Promise<readonly GroupVersionResource[]> {
    return (await this.mappingsFor(resource, options)).map((mapping) => mapping.resource);
  }

  async categoryMappings(
    category: string,
    options: DiscoveryCallOptions = {},
  ): Promise<readonly RESTMapping[]> {
    const found = (await this.#known.get(options)).categories.get(category) ?? [];
    // In the order of preference: the first version of each resource.
    const first = new Map<string, RESTMapping>();
    for (const mapping of found) {
      const key = `${mapping.resource.resource} ${mapping.resource.group}`;
      if (!first.has(key)) first.set(key, mapping);
    }
    return [...first.values()];
  }

  forget(): void {
    this.#known.forget();
  }

  async #kinds(
    kind: KindQuery,
    options: DiscoveryCallOptions,
  ): Promise<readonly [RESTMapping, ...RESTMapping[]]> {
    const query = kindQueryOf(kind);
    return this.#known.find(
      options,
      (known) => {
        const [first, ...others] = matchKind(known, query);
        return first && [first, ...others];
      },
      (known, failed) => noKind(known, failed, query),
    );
  }

  async #match(resource: string | ResourceQuery, options: DiscoveryCallOptions): Promise<Match> {
    const queries = queriesOf(resource);
    const search = (known: Mappings): Match | undefined => {
      for (const query of queries) {
        const match = matchResource(known, query);
        if (match !== undefined) return match;
      }
      return undefined;
    };
    const miss = (known: Mappings, failed: ReadonlyMap<string, Error>): NoMatchError =>
      noResource(known, failed, queries);
    return this.#known.find(options, search, miss);
  }

  #warnOf(text: string, mappings: readonly [RESTMapping, ...RESTMapping[]]): void {
    const others = new Set(othersThanFirst(mappings).map(resourceText));
    if (others.size === 0) return;
    const taken = resourceText(mappings[0]);
    const message = `the short name ${text} is interpreted as ${taken}; it could also be ${[...others].join(', ')}`;
    if (this.#warned.has(message)) return;
    this.#warned.add(message);
    callSafely(() => this.#onWarning(message), 'onWarning', 'DiscoveryWarning');
  }
}

/** Returns the first of several matches, unless others are equally good. */
function best(mappings: readonly [RESTMapping, ...RESTMapping[]], query: string): RESTMapping {
  const equals = equalsOfFirst(mappings);
  if (equals.length > 1) throw new AmbiguousMatchError(query, equals.map(resourceText));
  return mappings[0];
}
