/** Modules that are loaded when they are needed first. */

const loaders: (() => Promise<unknown>)[] = [];

/** Loads a module with the first call, and has the same result afterwards. */
export interface OnDemand<M> {
  (): Promise<M>;
  /** The module, if it is loaded: callers that use it without `await` remain in stacks. */
  loaded: M | undefined;
}

/** Returns a function that loads a module when it is needed first. */
export function onDemand<M>(load: () => Promise<M>): OnDemand<M> {
  let module: Promise<M> | undefined;
  const first = async (): Promise<M> => {
    once.loaded = await load();
    return once.loaded;
  };
  const once: OnDemand<M> = Object.assign(
    () => {
      module ??= first().catch((error: unknown) => {
        // A file may be unreadable for a moment, such as without a free descriptor: the next call retries.
        module = undefined;
        throw error;
      });
      return module;
    },
    { loaded: undefined },
  );
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
