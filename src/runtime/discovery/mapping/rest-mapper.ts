import type { GroupVersionKind, GroupVersionResource } from '../../api/group-version.ts';
import { onDemand } from '../../common/on-demand.ts';
import { OnUse } from '../lazy.ts';
import type {
  DiscoveryCallOptions,
  DiscoverySource,
  KindQuery,
  RESTMapper as Mapper,
  RESTMapperOptions,
  RESTMapping,
  ResourceQuery,
} from '../types.ts';
import type { KnownMapper } from './known-mapper.ts';

const knownMapper = onDemand(() => import('./known-mapper.ts'));

class DiscoveryMapper implements Mapper {
  readonly #discovery: DiscoverySource;
  readonly #mapper: OnUse<KnownMapper>;

  constructor(discovery: DiscoverySource, options?: RESTMapperOptions) {
    this.#discovery = discovery;
    this.#mapper = new OnUse(async () => {
      const { KnownMapper } = await knownMapper();
      return new KnownMapper(discovery, options);
    });
  }

  mapping(kind: KindQuery, options?: DiscoveryCallOptions): Promise<RESTMapping> {
    return this.#mapper.use(options, (it) => it.mapping(kind, options));
  }

  mappings(kind: KindQuery, options?: DiscoveryCallOptions): Promise<readonly RESTMapping[]> {
    return this.#mapper.use(options, (it) => it.mappings(kind, options));
  }

  mappingFor(resource: string | ResourceQuery, options?: DiscoveryCallOptions): Promise<RESTMapping> {
    return this.#mapper.use(options, (it) => it.mappingFor(resource, options));
  }

  mappingsFor(
    resource: string | ResourceQuery,
    options?: DiscoveryCallOptions,
  ): Promise<readonly RESTMapping[]> {
    return this.#mapper.use(options, (it) => it.mappingsFor(resource, options));
  }

  kindFor(resource: string | ResourceQuery, options?: DiscoveryCallOptions): Promise<GroupVersionKind> {
    return this.#mapper.use(options, (it) => it.kindFor(resource, options));
  }

  kindsFor(
    resource: string | ResourceQuery,
    options?: DiscoveryCallOptions,
  ): Promise<readonly GroupVersionKind[]> {
    return this.#mapper.use(options, (it) => it.kindsFor(resource, options));
  }

  resourceFor(
    resource: string | ResourceQuery,
    options?: DiscoveryCallOptions,
  ): Promise<GroupVersionResource> {
    return this.#mapper.use(options, (it) => it.resourceFor(resource, options));
  }

  resourcesFor(
    resource: string | ResourceQuery,
    options?: DiscoveryCallOptions,
  ): Promise<readonly GroupVersionResource[]> {
    return this.#mapper.use(options, (it) => it.resourcesFor(resource, options));
  }

  categoryMappings(category: string, options?: DiscoveryCallOptions): Promise<readonly RESTMapping[]> {
    return this.#mapper.use(options, (it) => it.categoryMappings(category, options));
  }

  reset(): void {
    this.#discovery.invalidate();
    this.#mapper.afterPending((it) => it.forget());
  }
}

/** Finds the resource of a kind, and the kind of a resource. */
export type RESTMapper = Mapper;

/**
 * Creates a mapper. Sends no request before its first call.
 * @example
 * ```ts
 * import { loadConfig } from '@kgen/runtime';
 * import { DiscoveryClient, RESTMapper } from '@kgen/runtime/discovery';
 *
 * const mapper = new RESTMapper(new DiscoveryClient(await loadConfig()));
 * const { resource, scope } = await mapper.mappingFor('deploy');
 * console.log(resource.resource, scope); // deployments Namespaced
 * ```
 */
export const RESTMapper: new (discovery: DiscoverySource, options?: RESTMapperOptions) => RESTMapper =
  DiscoveryMapper;
