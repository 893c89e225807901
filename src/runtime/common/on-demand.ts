/** Modules that are loaded when they are needed first. */

const loaders: (() => Promise<unknown>)[] = [];

/** Returns a function that loads a module with its first call, and has the same result afterwards. */
export function onDemand<M>(load: () => Promise<M>): () => Promise<M> {
  let module: Promise<M> | undefined;
  const once = (): Promise<M> => {
    module ??= load();
    return module;
  };
  loaders.push(once);
  return once;
}

/**
 * Loads the modules that requests, watches and informers otherwise load when they are needed first. Loading
 * takes real time: programs with a simulated clock call it before they start the clock.
 */
export async function preload(): Promise<void> {
  // A module that is loaded may add further ones.
  for (const load of loaders) await load();
}
