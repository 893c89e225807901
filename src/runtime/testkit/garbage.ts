import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Forgets everything that nobody holds any more, so that `WeakRef`s tell what is held. */
export async function collectGarbage(): Promise<void> {
  // What a WeakRef was asked for is held until the end of the turn.
  await new Promise((resolve) => setImmediate(resolve));
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}
