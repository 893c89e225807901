/** Controller of RedisClusters: a StatefulSet that can be scaled, and a backup before each deletion. */
import { Controller, dependent, type Manager, OwnedDependents } from '@kgen/controller';
import { type StatefulSet, statefulSets } from '@kgen/kubernetes/apps/v1';
import { type Job, jobs } from '@kgen/kubernetes/batch/v1';
import { services } from '@kgen/kubernetes/core/v1';
import { type InformerFactory, isNamespaceTerminating, resource, type Stored } from '@kgen/runtime';
import { isConditionTrue } from '@kgen/runtime/objects';
import {
  type RedisCluster,
  type RedisClusterStatus,
  redisClusters,
} from '../../generated/cache.example.com/v1/index.js';

/** Owner of the applied fields. It takes them back from users who have edited them. */
const owner = { fieldManager: 'rediscluster-operator', force: true } as const;
const clusterLabel = 'cache.example.com/cluster';
const skipBackup = 'cache.example.com/skip-backup';

/** Returns the controller, for the manager of the operator. */
export function redisClusterController(manager: Manager, informers: InformerFactory) {
  const backups = informers.of(jobs, { labelSelector: clusterLabel });
  const sets = informers.of(statefulSets);
  const service = dependent({ name: 'Service', informer: informers.of(services), desired: serviceOf });
  const set = dependent({ name: 'StatefulSet', informer: sets, desired: statefulSetOf });
  // Objects of others that have the same name are not changed.
  const dependents = new OwnedDependents([service, set], owner);
  const clusterOf = ({ metadata: { namespace, labels } }: Stored<Job>) => [
    { namespace, name: labels?.[clusterLabel] ?? '' },
  ];
  return new Controller({
    name: 'rediscluster',
    for: informers.of(redisClusters),
    owns: dependents.informers,
    watches: [{ informer: backups, map: clusterOf }, ...dependents.watches],
    concurrency: 4,
    client: { clusters: resource(manager.rest, redisClusters), jobs: resource(manager.rest, jobs) },
    reconcile: async (cluster, { client, record }) => {
      const { reason, message } = (await dependents.reconcile(cluster)).condition;
      const isBlocked = reason === 'DependentConflict' || reason === 'DependentInvalid';
      if (isBlocked) return record.event({ type: 'Warning', reason, action: 'Scale', note: message });
      const { name, namespace } = cluster.metadata;
      const set = sets.find(cluster.metadata);
      if (set === undefined) return;
      const status = statusOf(cluster, set);
      await client.clusters.in(namespace).applyStatus({ metadata: { name }, status }, owner);
      if (status.phase === cluster.status?.phase) return;
      const note = `${status.readyReplicas} of ${cluster.spec.replicas} servers are ready`;
      record.event({ type: 'Normal', reason: `${status.phase}`, action: 'Scale', note });
    },
    // With this function, the controller adds a finalizer. It removes it when the function returns nothing.
    finalize: async (cluster, { client, record }) => {
      if (cluster.metadata.annotations?.[skipBackup] === 'true') return;
      const event = (type: 'Normal' | 'Warning', reason: string, note: string) =>
        record.event({ type, reason, action: 'Backup', note });
      const job = backupOf(cluster);
      const { name, namespace } = job.metadata;
      const applied = client.jobs.in(namespace).apply(job, owner);
      const backup = await applied.catch((error) => {
        if (!isNamespaceTerminating(error)) throw error; // The Job would never exist, nor the deletion end.
      });
      if (!backup) return event('Warning', 'BackupSkipped', 'The namespace is being deleted');
      const has = (type: string) => isConditionTrue(backup.status.conditions, type);
      if (has('Complete')) return event('Normal', 'BackedUp', `Job ${name} completed`);
      const next = `delete it for another attempt, or set the annotation ${skipBackup}`;
      if (has('Failed')) event('Warning', 'BackupFailed', `Job ${name} failed: ${next}`);
      return { requeueAfterMs: 300_000 }; // Or as soon as the Job changes.
    },
  });
}

function labelsOf({ metadata }: Stored<RedisCluster>) {
  return { 'app.kubernetes.io/name': 'redis', 'app.kubernetes.io/instance': metadata.name };
}

/** Gives each server a DNS name: `carts-0.carts`. */
function serviceOf(cluster: Stored<RedisCluster>) {
  const { name, namespace } = cluster.metadata;
  const spec = { clusterIP: 'None', selector: labelsOf(cluster), ports: [{ name: 'redis', port: 6379 }] };
  return { metadata: { name, namespace, labels: labelsOf(cluster) }, spec };
}

function statefulSetOf(cluster: Stored<RedisCluster>) {
  const { name, namespace } = cluster.metadata;
  const { version, replicas, memory, evictionPolicy = 'noeviction', parameters = {} } = cluster.spec;
  const labels = labelsOf(cluster);
  const settings = { 'maxmemory-policy': evictionPolicy, ...parameters };
  const container = {
    name: 'redis',
    image: `redis:${version}`,
    args: Object.entries(settings).flatMap(([key, value]) => [`--${key}`, value]),
    ports: [{ name: 'redis', containerPort: 6379 }],
    volumeMounts: [{ name: 'data', mountPath: '/data' }],
    ...(memory !== undefined && { resources: { requests: { memory: String(memory) } } }),
  };
  const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  const template = { metadata: { labels }, spec: { containers: [container] } };
  const volumeClaimTemplates = [{ metadata: { name: 'data' }, spec: claim }];
  const selector = { matchLabels: labels };
  const spec = { replicas, serviceName: name, selector, template, volumeClaimTemplates };
  return { metadata: { name, namespace, labels }, spec };
}

/** Without an owner, so that it outlives the cluster; named by the uid, since each cluster has its own. */
function backupOf({ metadata, spec }: Stored<RedisCluster>) {
  const { name, namespace, uid } = metadata;
  const dump = `/backups/${namespace}-${name}-${uid}.rdb`;
  const container = {
    name: 'backup',
    image: `redis:${spec.version}`,
    command: ['redis-cli', '-h', `${name}-0.${name}`, '--rdb', dump],
    volumeMounts: [{ name: 'backups', mountPath: '/backups' }],
  };
  const volumes = [{ name: 'backups', persistentVolumeClaim: { claimName: 'redis-backups' } }];
  const template = { spec: { restartPolicy: 'OnFailure' as const, containers: [container], volumes } };
  const identity = { name: `backup-${uid}`, namespace, labels: { [clusterLabel]: name } };
  return { metadata: identity, spec: { ttlSecondsAfterFinished: 604_800, template } };
}

function statusOf(cluster: Stored<RedisCluster>, { status }: Stored<StatefulSet>): RedisClusterStatus {
  const { replicas = 3, minReady = replicas } = cluster.spec;
  const { readyReplicas = 0 } = status;
  const selector = Object.entries(labelsOf(cluster)).map((pair) => pair.join('='));
  const phase = readyReplicas >= minReady ? 'Running' : 'Pending';
  return { replicas: status.replicas, readyReplicas, selector: selector.join(','), phase };
}
