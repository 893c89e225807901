/** Workloads: Deployments, StatefulSets, DaemonSets, ReplicaSets, Jobs and CronJobs. */
import type { JsonObject } from '../../../schema/values/json.ts';
import type { Step } from '../exchange.fixture.ts';
import {
  type Collection,
  collection,
  create,
  get,
  list,
  merge,
  remove,
  replace,
  tries,
} from './steps.fixture.ts';

const deployments = collection('apps/v1', 'Deployment', 'deployments');
const statefulSets = collection('apps/v1', 'StatefulSet', 'statefulsets');
const daemonSets = collection('apps/v1', 'DaemonSet', 'daemonsets');
const replicaSets = collection('apps/v1', 'ReplicaSet', 'replicasets');
const controllers = collection('v1', 'ReplicationController', 'replicationcontrollers');
const revisions = collection('apps/v1', 'ControllerRevision', 'controllerrevisions');
const jobs = collection('batch/v1', 'Job', 'jobs');
const cronJobs = collection('batch/v1', 'CronJob', 'cronjobs');

const template: JsonObject = {
  metadata: { labels: { a: 'b' } },
  spec: { containers: [{ name: 'c', image: 'x' }] },
};
const once: JsonObject = { spec: { containers: [{ name: 'c', image: 'x' }], restartPolicy: 'Never' } };
const never: JsonObject = {
  metadata: { labels: { a: 'b' } },
  spec: { containers: [{ name: 'c', image: 'x' }], restartPolicy: 'Never', activeDeadlineSeconds: 5 },
};
const selector: JsonObject = { matchLabels: { a: 'b' } };

function valid(members: JsonObject = {}): JsonObject {
  return { spec: { selector, template, ...members } };
}

const deploymentRows: readonly Step[] = tries(
  deployments,
  {},
  valid(),
  valid({ replicas: 0, strategy: { type: 'Recreate' } }),
  valid({ replicas: '3' }),
  valid({ replicas: -1, minReadySeconds: -1, revisionHistoryLimit: -1, progressDeadlineSeconds: -1 }),
  { spec: { selector: { matchLabels: { a: 'c' } }, template } },
  { spec: { selector: {}, template } },
  { spec: { selector: { matchExpressions: [{ key: 'a', operator: 'X' }] }, template } },
  { spec: { selector: { matchExpressions: [{ key: 'a', operator: 'Exists' }] }, template } },
  valid({ strategy: { type: 'X' } }),
  valid({ strategy: { type: 'Recreate', rollingUpdate: {} } }),
  valid({ strategy: { rollingUpdate: { maxSurge: 'a%', maxUnavailable: -1 } } }),
  valid({ strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } }),
  valid({ strategy: { rollingUpdate: { maxSurge: 2 } } }),
  valid({ strategy: { rollingUpdate: { maxUnavailable: '101%' } } }),
  valid({ minReadySeconds: 10, progressDeadlineSeconds: 5 }),
  { spec: { selector, template: never } },
);

const setRows: readonly Step[] = [
  ...tries(
    statefulSets,
    {},
    valid({
      volumeClaimTemplates: [
        {
          metadata: { name: 'd' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
    }),
    valid({
      replicas: -1,
      podManagementPolicy: 'X',
      updateStrategy: { type: 'Y' },
      serviceName: 'S_',
      ordinals: { start: -1 },
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'X' },
      minReadySeconds: -1,
    }),
    valid({ updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 1 } } }),
    valid({ updateStrategy: { rollingUpdate: { partition: -1 } } }),
  ),
  ...tries(
    daemonSets,
    {},
    valid(),
    valid({ updateStrategy: { type: 'OnDelete' } }),
    {
      spec: {
        selector: {},
        template,
        updateStrategy: { type: 'X' },
        minReadySeconds: -1,
        revisionHistoryLimit: -1,
      },
    },
    valid({ updateStrategy: { rollingUpdate: { maxUnavailable: 0 } } }),
  ),
  ...tries(replicaSets, {}, valid(), { spec: { replicas: -1, minReadySeconds: -1, selector: {}, template } }),
  ...tries(
    controllers,
    {},
    { spec: { template } },
    { spec: { selector: { a: 'c' }, template, replicas: -1 } },
  ),
  ...tries(revisions, {}, { data: { a: [1, null] }, revision: 1 }, { data: {}, revision: -1 }),
];

function lifeOf(of: Collection, name: string, members: JsonObject): readonly Step[] {
  return [
    create(of, name, { ...valid(members), metadata: { labels: { app: name } }, status: { replicas: 7 } }),
    merge(of, name, { spec: { replicas: 2 } }),
    merge(of, name, { metadata: { annotations: { note: 'x' } } }),
    merge(of, name, { status: { replicas: 5 } }),
    merge(
      of,
      name,
      { status: { replicas: 2, readyReplicas: 1 }, metadata: { labels: { x: 'y' } } },
      '/status',
    ),
    merge(of, name, { status: { replicas: -1 } }, '/status'),
    merge(of, name, { status: { replicas: 1, readyReplicas: 2 } }, '/status'),
    get(of, name, '/scale'),
    merge(of, name, { spec: { replicas: 3 } }, '/scale'),
    merge(of, name, { spec: { selector: { matchLabels: { a: 'c' } } } }),
    merge(of, name, { spec: { template: { spec: { containers: [{ name: 'c', image: 'y' }] } } } }),
    replace(of, name, valid({ replicas: 1 })),
    list(of, '?labelSelector=x%3Dy'),
    remove(of, name),
    get(of, name),
  ];
}

const lives: readonly Step[] = [
  ...lifeOf(deployments, 'web', {}),
  ...lifeOf(statefulSets, 'db', {}),
  ...lifeOf(replicaSets, 'rs', {}),
  create(daemonSets, 'ds', valid()),
  merge(daemonSets, 'ds', { spec: { template: { spec: { containers: [{ name: 'c', image: 'y' }] } } } }),
  merge(daemonSets, 'ds', { spec: { selector: { matchLabels: { a: 'c' } } } }),
  remove(daemonSets, 'ds'),
];

const jobRows: readonly Step[] = [
  ...tries(
    jobs,
    {},
    { spec: { template: once } },
    { spec: { template: once, completions: 3, parallelism: 2, completionMode: 'Indexed' } },
    { spec: { template: { spec: { containers: [{ name: 'c', image: 'x' }] } }, parallelism: -1 } },
    { spec: { template: once, completions: -1, backoffLimit: -1, activeDeadlineSeconds: -1 } },
    { spec: { template: once, ttlSecondsAfterFinished: -1, completionMode: 'X' } },
    { spec: { template: once, selector } },
    { spec: { template: once, manualSelector: true } },
    { spec: { template: never, selector, manualSelector: true } },
    { spec: { template: once, backoffLimitPerIndex: 1 } },
    { spec: { template: once, podReplacementPolicy: 'Z', podFailurePolicy: { rules: [{ action: 'X' }] } } },
  ),
  create(jobs, 'once', { spec: { template: once, suspend: true } }),
  merge(jobs, 'once', { spec: { parallelism: 4, suspend: false } }),
  merge(jobs, 'once', { spec: { completions: 4 } }),
  merge(jobs, 'once', { status: { active: 1 } }, '/status'),
  remove(jobs, 'once', '?propagationPolicy=Background'),
  ...tries(
    cronJobs,
    {},
    { spec: { schedule: '*/1 * * * *', jobTemplate: { spec: { template: once } } } },
    { spec: { schedule: '@daily', timeZone: 'Europe/Berlin', jobTemplate: { spec: { template: once } } } },
    {
      spec: {
        schedule: 'x',
        concurrencyPolicy: 'Y',
        startingDeadlineSeconds: -1,
        successfulJobsHistoryLimit: -1,
        timeZone: 'Nope/Nope',
        jobTemplate: { spec: { template: { spec: { containers: [] } }, manualSelector: true } },
      },
    },
    { spec: { schedule: 'TZ=UTC * * * * *', jobTemplate: { spec: { template: once } } } },
  ),
  create(cronJobs, 'a'.repeat(53), {
    spec: { schedule: '* * * * *', jobTemplate: { spec: { template: once } } },
  }),
  create(cronJobs, 'tick', { spec: { schedule: '* * * * *', jobTemplate: { spec: { template: once } } } }),
  merge(cronJobs, 'tick', { spec: { suspend: true } }),
  remove(cronJobs, 'tick'),
];

/** Rows about workloads. */
export const workloadSteps: Readonly<Record<string, readonly Step[]>> = {
  'workloads: deployments': deploymentRows,
  'workloads: sets and revisions': setRows,
  'workloads: updates, status, scale': lives,
  'workloads: jobs and cron jobs': jobRows,
};
