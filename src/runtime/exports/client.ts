/**
 * Types and building blocks of typed clients: verbs, accessors and resource descriptors. Generated code
 * combines them; programs need them for functions over any client.
 */

export type { BookmarkOptions, CustomPatchOptions, PatchTyped } from '../api/options.ts';
export type {
  BodyKind,
  ClusterResource,
  ConnectFacts,
  ConnectResource,
  FieldOf,
  NamespacedResource,
  ObjectOf,
  Resource,
  ResourceFacts,
  ResourceScope,
  ResourceTypes,
  ResourceVerb,
} from '../api/resource.ts';
export { defineConnect, defineResource } from '../api/resource.ts';
export type {
  BuiltInGroup,
  IntentItem,
  IntentMap,
  IntentMeta,
  IntentOf,
  ListMap,
  MergeMap,
  NamedMeta,
  StoredMeta,
  StrategicDirectives,
  StrategicItem,
  StrategicMap,
  WithName,
  WriteResult,
} from '../api/types.ts';
export type { Bind, CreateToken, Evict } from '../api/verbs/actions.ts';
export type { AllNamespaces, BaseCrud, Crud, CustomCrud } from '../api/verbs/crud.ts';
export type { AsBytes, AsLines, ReadLog, SubresourceText } from '../api/verbs/log.ts';
export type {
  Finalize,
  WriteApproval,
  WriteEphemeralContainers,
  WriteResize,
} from '../api/verbs/object-subresources.ts';
export type {
  Get,
  List,
  ListIteration,
  ListVirtual,
  PagedIteration,
  ReadVirtual,
  WaitFor,
  Watch,
} from '../api/verbs/read.ts';
export type { WriteScale } from '../api/verbs/scale.ts';
export type { CustomWriteStatus, WriteStatus } from '../api/verbs/status.ts';
export type { SubresourceClient, Subresources } from '../api/verbs/subresource.ts';
export type {
  Apply,
  Create,
  CreateAction,
  CreateOnly,
  CustomPatch,
  Delete,
  DeleteCollection,
  Patch,
  Update,
} from '../api/verbs/write.ts';
export type { GroupInformers } from '../cache/group-informers.ts';
export { groupInformers } from '../cache/group-informers.ts';
export type {
  ClusterWatchHelper,
  GroupClient,
  NamespaceAccess,
  NamespacedAccess,
  NamespacedAccessor,
  NamespacedWatchHelper,
  ResourceAccessor,
  VirtualAccess,
  WatchNamespace,
} from '../client/access.ts';
export { groupClient } from '../client/access.ts';
export { ClientsetBase } from '../client/clientset.ts';
export type { RequestTarget } from '../client/requests/build-request.ts';
export type { ConnectTarget } from '../client/requests/connect.ts';
export { connectRequest } from '../client/requests/connect.ts';
export type { ResourceIdentity } from '../client/requests/paths.ts';
export type { Representation } from '../client/requests/representation.ts';
export type { ClientConstructor } from '../rest/connection.ts';
export type { NotEqual } from '../selectors/fields.ts';
