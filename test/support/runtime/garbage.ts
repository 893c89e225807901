import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Collects garbage, so that `WeakRef`s show which objects are still referenced. */
export async function collectGarbage(): Promise<void> {
  // The target of a dereferenced WeakRef is kept until the end of the turn.
  await new Promise((resolve) => setImmediate(resolve));
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}
