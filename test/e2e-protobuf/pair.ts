import { Clientset } from '@kgen/kubernetes';
import { onTestFinished } from 'vitest';
import { unique } from '../e2e/env.ts';
import type { Env } from './env.ts';
import { type Exchange, traffic } from './traffic.ts';

/** Two clientsets on one server. */
export interface Pair {
  /** As everybody gets it. */
  readonly protobuf: Clientset;
  /** The one that everything is compared with. */
  readonly json: Clientset;
  /** What the first of them has sent and got. */
  readonly seen: readonly Exchange[];
}

// Every deprecated version is asked for.
const onWarning = (): void => undefined;

/** Opens two clientsets until the test is over. */
export function pair({ plane: { config } }: Pick<Env, 'plane'>): Pair {
  const userAgent = unique('pair');
  const protobuf = new Clientset(config, { userAgent, onWarning });
  const json = new Clientset(config, { encoding: 'json', onWarning });
  onTestFinished(async () => {
    await protobuf.close();
    await json.close();
  });
  return { protobuf, json, seen: traffic(userAgent) };
}
