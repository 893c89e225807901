import { jobTemplate, template } from './pods.ts';
import type { Sample, Samples } from './types.ts';

const selector = { matchLabels: { app: 'web' } };
const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };

const job = {
  suspend: true,
  parallelism: 2,
  completions: 2,
  completionMode: 'Indexed',
  backoffLimitPerIndex: 1,
  template: jobTemplate,
  podFailurePolicy: {
    rules: [
      { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
      { action: 'FailJob', onExitCodes: { containerName: 'job', operator: 'In', values: [1, 42] } },
    ],
  },
};

/** Samples of kinds that run, scale and protect pods. */
export const workloadSamples: Samples = {
  'apps/v1/ControllerRevision': () => ({
    revision: 9_007_199_254_740_991,
    data: { spec: { a: [1, 1.5, null, true, { b: 'é' }] } },
  }),
  'apps/v1/DaemonSet': () => ({
    spec: { selector, template, updateStrategy: { rollingUpdate: { maxSurge: '10%', maxUnavailable: 0 } } },
  }),
  'apps/v1/Deployment': () => ({
    spec: {
      replicas: 0,
      selector,
      template,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: '25%' } },
      progressDeadlineSeconds: 30,
    },
  }),
  'apps/v1/ReplicaSet': () => ({ spec: { replicas: 0, selector, template, minReadySeconds: 0 } }),
  'apps/v1/StatefulSet': () => ({
    spec: {
      replicas: 0,
      serviceName: 'web',
      selector,
      template,
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
      updateStrategy: { rollingUpdate: { partition: 0 } },
      ordinals: { start: 0 },
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Retain' },
    },
  }),
  'batch/v1/CronJob': () => ({
    spec: {
      schedule: '0 3 * * *',
      timeZone: 'Etc/UTC',
      suspend: true,
      startingDeadlineSeconds: 0,
      jobTemplate: { spec: job },
    },
  }),
  'batch/v1/Job': () => ({ spec: job }),
  'autoscaling/v1/HorizontalPodAutoscaler': () => ({
    spec: { scaleTargetRef: target, minReplicas: 1, maxReplicas: 3, targetCPUUtilizationPercentage: 60 },
  }),
  'autoscaling/v2/HorizontalPodAutoscaler': () => ({
    spec: {
      scaleTargetRef: target,
      maxReplicas: 3,
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'AverageValue', averageValue: '0.5' } },
        },
        {
          type: 'Object',
          object: {
            metric: { name: 'queue', selector: { matchLabels: { q: 'a' } } },
            describedObject: { kind: 'Service', name: 'web' },
            target: { type: 'Value', value: '1e3' },
          },
        },
      ],
      behavior: {
        scaleDown: {
          stabilizationWindowSeconds: 0,
          policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }],
        },
      },
    },
  }),
  'policy/v1/PodDisruptionBudget': () => ({ spec: { selector, maxUnavailable: '50%' } }),
  ...scheduling(),
  ...lifecycle(),
};

function scheduling(): Samples {
  const constraints = { topology: [{ key: 'zone' }] };
  const group = { schedulingPolicy: { gang: { minCount: 2 } }, schedulingConstraints: constraints };
  const reference = { workloadName: 'training', templateName: 'workers' };
  const single = { disruptionMode: { single: {} } };
  const workload =
    (template: Readonly<Record<string, unknown>>): Sample =>
    () => ({
      spec: {
        controllerRef: { apiGroup: 'batch', kind: 'Job', name: 'training' },
        podGroupTemplates: [{ name: 'workers', ...template }],
      },
    });
  return {
    'scheduling.k8s.io/v1/PriorityClass': () => ({
      value: -2_147_483_648,
      description: 'behind others',
      preemptionPolicy: 'Never',
      globalDefault: false,
    }),
    'scheduling.k8s.io/v1alpha2/PodGroup': () => ({
      spec: {
        ...group,
        disruptionMode: 'Pod',
        podGroupTemplateRef: { workload: { workloadName: 'training', podGroupTemplateName: 'workers' } },
      },
    }),
    'scheduling.k8s.io/v1alpha3/PodGroup': () => ({ spec: { ...group, ...single, workloadRef: reference } }),
    'scheduling.k8s.io/v1beta1/PodGroup': () => ({ spec: { ...group, ...single, workloadRef: reference } }),
    'scheduling.k8s.io/v1alpha2/Workload': workload({ ...group, disruptionMode: 'PodGroup' }),
    'scheduling.k8s.io/v1alpha3/Workload': workload({ ...group, ...single }),
    'scheduling.k8s.io/v1beta1/Workload': workload({ ...group, ...single }),
    'scheduling.k8s.io/v1alpha3/CompositePodGroup': () => ({
      spec: { ...single, schedulingPolicy: { gang: { minGroupCount: 1 } }, workloadRef: reference },
    }),
  };
}

function lifecycle(): Samples {
  const target = { pod: { name: 'web-0', uid: '5a1c8c9e-0000-4000-8000-000000000001' } };
  return {
    'lifecycle.k8s.io/v1alpha1/Eviction': () => ({ spec: { target } }),
    'lifecycle.k8s.io/v1alpha1/EvictionRequest': () => ({
      spec: { target, requester: 'example.com/drain', intent: 'Eviction' },
    }),
  };
}
