/** Resources that a server has: discovery, and the mapping of kinds to resources. */

export type { DiscoveryClientOptions } from '../discovery/client.ts';
export { DiscoveryClient } from '../discovery/client.ts';
export {
  AmbiguousMatchError,
  isAmbiguousMatch,
  isNoMatch,
  NoMatchError,
} from '../discovery/mapping/errors.ts';
export { RESTMapper } from '../discovery/mapping/rest-mapper.ts';
export type {
  APIGroup,
  APIResource,
  APIResourceList,
  DiscoveryCallOptions,
  DiscoveryResponse,
  DiscoverySource,
  GroupVersionForDiscovery,
  KindQuery,
  OpenAPIV3Path,
  RESTMapperOptions,
  RESTMapping,
  RESTSubresource,
  ResourceQuery,
  ServerGroups,
  ServerGroupsAndResources,
  ServerResources,
  VersionInfo,
} from '../discovery/types.ts';
