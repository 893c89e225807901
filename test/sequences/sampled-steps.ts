/** Random sequences about every built-in kind, with its subresources and for users with fewer permissions. */
import { randomOf } from '../support/random.ts';
import { create, length, stepOf } from './operations.ts';
import { reviewSteps } from './review-steps.ts';
import { sampledKinds } from './sampled-kinds.ts';
import type { Step } from './step.ts';
import { subresources } from './subresource-steps.ts';
import { Target } from './target.ts';
import { asUser } from './users.ts';

/** Returns the sequence of a seed, whose kind is the next one for each seed. */
export function sampledSequenceOf(seed: number): readonly Step[] {
  const random = randomOf(seed);
  const kind = sampledKinds[seed % (sampledKinds.length + 1)];
  if (kind === undefined) return reviewSteps(random, length);
  const target = new Target(kind, random);
  const steps = [create(target, random, 0), create(target, random, 1)];
  while (steps.length < length)
    steps.push(
      random.chance(0.25) ? subresources(target, kind, random) : stepOf(target, random, steps.length),
    );
  return [...steps.map((step) => asUser(step, random)), target.history()];
}
