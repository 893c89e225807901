import { Clientset } from '@kgen/kubernetes';
import { onTestFinished } from 'vitest';
import { unique } from '../support/cluster-tests.ts';
import type { Env } from './env.ts';
import { type Exchange, traffic } from './traffic.ts';

/** Two clientsets on one server. */
export interface Pair {
  /** Clientset with default options. */
  readonly protobuf: Clientset;
  /** Clientset for comparison. */
  readonly json: Clientset;
  /** Exchanges of the first clientset. */
  readonly seen: readonly Exchange[];
}

// Deprecated versions are requested, too.
const onWarning = (): void => undefined;

/** Creates two clientsets that are closed at the end of the test. */
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
