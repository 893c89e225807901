/** The complete table of what generated code may import from the runtime. */

/** Names that exist at run time. */
export type RuntimeValue =
  | 'ClientsetBase'
  | 'InformerFactoryBase'
  | 'crud'
  | 'defineResource'
  | 'groupClient'
  | 'groupInformers'
  | 'watchResource';

/** Names that exist for the compiler alone. */
export type RuntimeTypeName =
  | 'AllNamespaces'
  | 'ClusterLister'
  | 'ClusterMeta'
  | 'ClusterResource'
  | 'ClusterWatchHelper'
  | 'Condition'
  | 'Connection'
  | 'CustomCrud'
  | 'CustomWriteStatus'
  | 'EmbeddedObject'
  | 'Informer'
  | 'InformerFactoryOptions'
  | 'InformerOptions'
  | 'InformerSource'
  | 'LabelSelector'
  | 'ListMap'
  | 'ListMeta'
  | 'NamespacedLister'
  | 'NamespacedResource'
  | 'NamespacedWatchHelper'
  | 'ObjectMeta'
  | 'RESTClientOptions'
  | 'Scale'
  | 'Status'
  | 'Stored'
  | 'WatchEvent'
  | 'WriteScale';
