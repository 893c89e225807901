/** The heap of this process. */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Returns the bytes of the heap that are still referenced. */
export async function usedHeap(): Promise<number> {
  // The target of a dereferenced WeakRef is kept until the end of the turn.
  await new Promise((resolve) => setImmediate(resolve));
  const collect = collector();
  collect();
  // Objects whose finalizers have run are collected now.
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  return getHeapStatistics().used_heap_size;
}

let known: (() => void) | undefined;

/** Returns the function that collects garbage: new contexts have it only while the flag is set. */
function collector(): () => void {
  if (known !== undefined) return known;
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  known = () => {
    if (typeof collect === 'function') collect();
  };
  return known;
}
