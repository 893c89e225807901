/** Random sequences about every built-in kind, with its subresources and for users without permissions. */
import type { JsonObject } from '../../src/schema/values/json.ts';
import { type Random, randomOf } from '../support/random.ts';
import { create, length, stepOf } from './operations.ts';
import { type SampledKind, sampledKinds } from './sampled-kinds.ts';
import type { Step } from './step.ts';
import { Target } from './target.ts';

/** Returns the sequence of a seed, whose kind is the next one for each seed. */
export function sampledSequenceOf(seed: number): readonly Step[] {
  const random = randomOf(seed);
  const kind = sampledKinds[seed % sampledKinds.length];
  if (kind === undefined) throw new Error('the list of kinds is empty');
  const target = new Target(kind, random);
  const steps = [create(target, random, 0), create(target, random, 1)];
  while (steps.length < length)
    steps.push(
      random.chance(0.25) ? onSubresource(target, kind, random) : stepOf(target, random, steps.length),
    );
  return [...steps.map((step) => asUser(step, random)), target.history()];
}

/** Some requests are those of a user without permissions. */
function asUser(step: Step, random: Random): Step {
  return random.chance(0.05) ? { ...step, user: 'eve' } : step;
}

/** Subresources that servers connect with nodes. */
const connected = ['attach', 'exec', 'log', 'portforward', 'proxy'];

function onSubresource(target: Target, { subresources }: SampledKind, random: Random): Step {
  const served = subresources.filter((name) => !connected.includes(name));
  const names = [...served, 'status', 'nothing'].filter((name) => name !== 'scale');
  const path = `${target.object()}/${names[random.int(names.length)] ?? 'status'}`;
  const query: Readonly<Record<string, string>> = random.chance(0.3) ? { dryRun: 'All' } : {};
  const body = random.pick<JsonObject>([
    {},
    { spec: {} },
    { status: {} },
    { metadata: { labels: { app: 's' } } },
  ]);
  return random.pick<Step>([
    { method: 'GET', path },
    { method: 'PUT', path, query, body, isUpdate: true },
    { method: 'PATCH', path, query, body, type: 'application/merge-patch+json' },
    { method: 'PATCH', path, query, body, type: 'application/strategic-merge-patch+json' },
    {
      method: 'PATCH',
      path,
      query,
      body: [{ op: 'test', path: '/kind', value: 'X' }],
      type: 'application/json-patch+json',
    },
    { method: 'POST', path, query, body },
    { method: 'DELETE', path, query },
  ]);
}
