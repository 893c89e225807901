/** Stories of users with Jobs and CronJobs. */
import type { batchV1 } from '@kgen/kubernetes';
import { vi } from 'vitest';
import { relabel, type Scene, type Story, template } from './scene.ts';

function job(spec: Partial<batchV1.JobSpec>, extra: Record<string, string> = {}): batchV1.Job {
  const { spec: pod, metadata } = template('work:1', extra);
  return {
    metadata: { name: 'work' },
    spec: {
      template: { metadata, spec: { containers: pod?.containers ?? [], restartPolicy: 'Never' } },
      ...spec,
    },
  };
}

/** Stories by title. */
export const jobStories: Readonly<Record<string, Story>> = {
  'a Job completes': async (scene) => createJob(scene, job({ completions: 3, parallelism: 2 })),
  'a Job without completions completes': async (scene) => createJob(scene, job({ parallelism: 2 })),
  'an indexed Job completes': async (scene) =>
    createJob(scene, job({ completions: 3, parallelism: 3, completionMode: 'Indexed' })),
  'a Job fails at its limit': async (scene) => createJob(scene, job({ backoffLimit: 0 }, { fail: 'yes' })),
  'a suspended Job waits': async (scene) => createJob(scene, job({ suspend: true })),
  'a Job retries a pod that failed only after its delay': async (scene) =>
    createJob(scene, job({ backoffLimit: 2 }, { fail: 'yes' })),
  'a Job with a policy for failures fails at once': async (scene) =>
    createJob(
      scene,
      job(
        {
          podFailurePolicy: {
            rules: [{ action: 'FailJob', onPodConditions: [{ type: 'PodScheduled', status: 'True' }] }],
          },
        },
        { fail: 'yes' },
      ),
    ),
  'an indexed Job limits the failures of each index': async (scene) =>
    createJob(scene, job({ ...indexed(3), backoffLimitPerIndex: 0, maxFailedIndexes: 3 }, { fail: 'yes' })),
  'an indexed Job stops at its number of failed indexes': async (scene) =>
    createJob(
      scene,
      job({ ...indexed(3), parallelism: 1, backoffLimitPerIndex: 0, maxFailedIndexes: 0 }, { fail: 'yes' }),
    ),
  'an indexed Job succeeds by its policy': async (scene) =>
    createJob(
      scene,
      job({ ...indexed(4), parallelism: 2, successPolicy: { rules: [{ succeededIndexes: '0,1' }] } }),
    ),
  'a Job is suspended and resumed': async (scene) => {
    await createJob(scene, job({ suspend: true, completions: 2 }));
    const jobs = scene.clientset.batchV1.jobs(scene.namespace);
    await jobs.patch('work', { spec: { suspend: false } });
    await scene.settled();
  },
  'a running Job is suspended': async (scene) => {
    await createJob(scene, job({ parallelism: 2 }, { run: 'yes' }));
    await scene.clientset.batchV1.jobs(scene.namespace).patch('work', { spec: { suspend: true } });
    await scene.settled();
  },
  'a Job with fewer pods at once deletes the others': async (scene) => {
    await createJob(scene, job({ parallelism: 3 }, { run: 'yes' }));
    await scene.clientset.batchV1.jobs(scene.namespace).patch('work', { spec: { parallelism: 1 } });
    await scene.settled();
  },
  'a Job past its deadline fails': async (scene) => {
    await createJob(scene, job({ activeDeadlineSeconds: 1 }, { run: 'yes' }));
    await scene.clientset.batchV1
      .jobs(scene.namespace)
      .waitFor('work', (value) => value?.status.conditions?.some(({ type }) => type === 'Failed') === true);
    await scene.settled();
  },
  'a Job of another manager is left alone': async (scene) =>
    createJob(scene, job({ managedBy: 'example.com/manager' })),
  'the pods of a deleted Job are deleted': async (scene) => {
    await createJob(scene, job({}, { run: 'yes' }));
    await scene.clientset.batchV1.jobs(scene.namespace).delete('work', { propagationPolicy: 'Background' });
    await scene.settled();
  },
  'the pods of a Job that is deleted in the foreground are deleted': async (scene) => {
    await createJob(scene, job({}, { run: 'yes' }));
    await scene.clientset.batchV1.jobs(scene.namespace).delete('work', { propagationPolicy: 'Foreground' });
    await scene.settled();
  },
  'the pods of a Job that is deleted alone remain': async (scene) => {
    await createJob(scene, job({}, { run: 'yes' }));
    await scene.clientset.batchV1.jobs(scene.namespace).delete('work', { propagationPolicy: 'Orphan' });
    await scene.settled();
  },
  'a suspended Job changes its resources and where it runs': async (scene) => {
    await createJob(scene, job({ suspend: true }));
    const resources = { requests: { cpu: '100m' } };
    await scene.clientset.batchV1.jobs(scene.namespace).patch('work', {
      spec: {
        template: {
          metadata: { labels: { zone: 'a' }, annotations: { note: 'b' } },
          spec: { nodeSelector: { disk: 'ssd' }, containers: [{ name: 'main', resources }] },
        },
      },
    });
    await scene.settled();
  },
  'a Job releases a pod with other labels': async (scene) => {
    await createJob(scene, job({}, { run: 'yes' }));
    await relabel(scene, {
      'batch.kubernetes.io/controller-uid': 'other',
      'controller-uid': 'other',
      'job-name': 'other',
    });
  },
  'a CronJob starts one Job, as long as it runs': async (scene) => {
    const { clientset, namespace, settled } = scene;
    const { spec } = job({}, { run: 'yes' });
    await clientset.batchV1.cronJobs(namespace).create({
      metadata: { name: 'work' },
      spec: {
        schedule: '@every 2s',
        timeZone: 'Asia/Kolkata',
        concurrencyPolicy: 'Forbid',
        jobTemplate: { metadata: { labels: { from: 'cron' } }, spec },
      },
    });
    const hasJob = async () => (await clientset.batchV1.jobs(namespace).list()).items.length > 0;
    await vi.waitUntil(hasJob, { timeout: 60_000, interval: 500 });
    await settled();
    await clientset.batchV1.cronJobs(namespace).patch('work', { spec: { suspend: true } });
    await settled();
  },
};

function indexed(completions: number): Partial<batchV1.JobSpec> {
  return { completions, parallelism: completions, completionMode: 'Indexed' };
}

async function createJob({ clientset, namespace, settled }: Scene, value: batchV1.Job): Promise<void> {
  await clientset.batchV1.jobs(namespace).create(value);
  await settled();
}
