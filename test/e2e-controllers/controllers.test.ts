/**
 * The controllers of the server in memory beside kube-controller-manager: the same stories, the same states.
 */

import { Clientset } from '@kgen/kubernetes';
import { controlPlaneAvailability, startControlPlane } from '@kgen/testing';
import { startTestServer } from '@kgen/testserver';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { certificateStories } from './certificate-stories.ts';
import { claimStories } from './claim-stories.ts';
import { deletionStories } from './deletion-stories.ts';
import { jobStories } from './job-stories.ts';
import { meeting } from './meeting.ts';
import { startNodeAgent } from './node-agent.ts';
import { policyStories } from './policy-stories.ts';
import type { Story } from './scene.ts';
import { stateOf } from './state.ts';
import { storageStories } from './storage-stories.ts';
import { stories as workloads } from './stories.ts';

const availability = controlPlaneAvailability({ controllerManager: true });
if (!availability.available) console.log(`controllers of a real cluster: skipped, ${availability.reason}`);

const stories = {
  ...workloads,
  ...jobStories,
  ...storageStories,
  ...claimStories,
  ...deletionStories,
  ...certificateStories,
  ...policyStories,
};

interface Side {
  readonly clientset: Clientset;
  /** Time between two looks at the state, in milliseconds. */
  readonly quietMs: number;
  readonly stop: () => Promise<unknown>;
}

const rules = [
  { match: { labels: { fail: 'yes' } }, exit: { code: 1 } },
  { match: { labels: { run: 'yes' } } },
  { match: { labels: { unready: 'yes' } }, readyAfterMs: false },
] as const;

async function openMemory(): Promise<Side> {
  const server = await startTestServer({ pods: rules, nodes: ['node-1', 'node-2'], events: true });
  return { clientset: new Clientset(server.config), quietMs: 30, stop: () => server.stop() };
}

async function openReal(): Promise<Side> {
  const plane = await startControlPlane({ controllerManager: true });
  const clientset = new Clientset(plane.config);
  for (const name of ['node-1', 'node-2']) {
    await clientset.coreV1.nodes().create({ metadata: { name, labels: { 'kubernetes.io/hostname': name } } });
    await clientset.coreV1
      .nodes()
      .patchStatus(name, { status: { conditions: [{ type: 'Ready', status: 'True' }] } });
  }
  const agent = await startNodeAgent(plane.config);
  return {
    clientset,
    quietMs: 700,
    stop: async () => {
      await agent.stop();
      await plane.stop();
    },
  };
}

describe.skipIf(!availability.available)('the controllers of the server in memory', () => {
  const sides: { memory?: Side; real?: Side } = {};

  beforeAll(async () => {
    [sides.memory, sides.real] = await Promise.all([openMemory(), openReal()]);
  }, 240_000);

  afterAll(async () => {
    await Promise.all(
      Object.values(sides).map(async ({ clientset, stop }: Side) => {
        await clientset.close();
        await stop();
      }),
    );
  });

  let count = 0;

  async function play(
    { clientset }: Side,
    story: Story,
    namespace: string,
    settled: () => Promise<void>,
  ): Promise<unknown> {
    await clientset.coreV1.namespaces().create({ metadata: { name: namespace } });
    await settled();
    await story({ clientset, namespace, settled });
    return stateOf(clientset, namespace);
  }

  test.concurrent.each(Object.entries(stories))('%s', { timeout: 120_000 }, async (_, story) => {
    count += 1;
    const namespace = `story-${count}`;
    if (sides.memory === undefined || sides.real === undefined) throw new Error('a server does not run');
    const player = ({ clientset, quietMs }: Side) => ({
      quietMs,
      state: () => stateOf(clientset, namespace),
    });
    const steps = meeting(player(sides.memory), player(sides.real));
    const [memory, real] = await Promise.all([
      play(sides.memory, story, namespace, steps.memory),
      play(sides.real, story, namespace, steps.real),
    ]);
    expect(memory).toEqual(real);
  });
});
