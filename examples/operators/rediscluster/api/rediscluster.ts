/** Two served versions, defaults, bounds, a pattern, an enum, a CEL rule, status and scale. */
import { api, type CustomResource, type Int32, type IntOrString, type JsonObject, version } from 'kgen/api';

/**
 * Desired state of the group.
 *
 * @validate !has(self.minReady) || self.minReady <= self.replicas -- minReady must not exceed replicas
 */
interface RedisClusterSpec {
  /** Number of servers. @default 3 @minimum 1 @maximum 9 */
  replicas?: Int32;
  /** Servers that must be ready before the group counts as ready. @minimum 0 */
  minReady?: Int32;
  /** Redis release, major and minor. @pattern ^[0-9]+\.[0-9]+(\.[0-9]+)?$ */
  version: string;
  /** Eviction when memory is full. @default "noeviction" */
  evictionPolicy?: 'noeviction' | 'allkeys-lru' | 'allkeys-lfu' | 'volatile-ttl';
  /**
   * Memory of each server, as a quantity such as `512Mi`, or bytes as a number.
   *
   * @minimum 0
   * @pattern ^[0-9]{1,12}(k|Ki|M|Mi|G|Gi|T|Ti)?$
   */
  memory?: IntOrString;
  /** Lines of the configuration file, by name. */
  parameters?: Record<string, string>;
  /** Accounts besides the default one. @listMap name */
  users?: RedisUser[];
}

interface RedisUser {
  name: string;
  /** Commands that the account may use. @listSet */
  commands?: string[];
  /** Secret that holds the password. */
  passwordSecret?: {
    name: string;
    /** @default "password" */
    key?: string;
  };
}

/** Last observation. */
interface RedisClusterStatus {
  /** Servers that exist. */
  replicas?: Int32;
  /** Servers that are ready. */
  readyReplicas?: Int32;
  /** Label selector of the servers, as a string. */
  selector?: string;
  phase?: 'Pending' | 'Running' | 'Failed';
  /** Host and slots of each server. */
  nodes?: Record<string, { host?: string; slots?: Int32[] }>;
}

/** A group of Redis servers that hold one data set. */
interface RedisCluster extends CustomResource<RedisClusterSpec, RedisClusterStatus> {}

interface RedisClusterV1alpha1Spec {
  /** Number of servers. @default 3 */
  replicas?: Int32;
  /** Redis release. */
  version?: string;
}

/** A group of Redis servers that hold one data set. */
interface RedisClusterV1alpha1 extends Partial<CustomResource<RedisClusterV1alpha1Spec, JsonObject>> {}

export default api({
  group: 'cache.example.com',
  kind: 'RedisCluster',
  shortNames: ['rc', 'redis'],
  categories: ['all', 'caches'],
  versions: {
    v1: version<RedisCluster>()({
      storage: true,
      scale: {
        replicas: 'spec.replicas',
        statusReplicas: 'status.replicas',
        selector: 'status.selector',
      },
      selectable: ['spec.version'],
      columns: [
        { name: 'Wanted', path: 'spec.replicas', description: 'Desired servers.' },
        { name: 'Ready', path: 'status.readyReplicas', description: 'Servers that are ready.' },
        { name: 'Eviction', path: 'spec.evictionPolicy', priority: 1 },
        { name: 'Age', path: 'metadata.creationTimestamp' },
      ],
    }),
    v1alpha1: version<RedisClusterV1alpha1>()({
      deprecated: 'cache.example.com/v1alpha1 RedisCluster is deprecated; use cache.example.com/v1',
    }),
  },
});
