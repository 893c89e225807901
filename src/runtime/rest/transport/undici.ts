/// <reference path="./undici.d.ts" />
/** The parts of undici that connections need. */
import type { buildConnector, Pool } from 'undici';

/** Classes and functions of undici. */
export interface Undici {
  readonly Pool: typeof Pool;
  readonly buildConnector: typeof buildConnector;
}

/**
 * Loads them from the modules that define them, and from the main module if a release has others: it also
 * loads fetch, WebSockets and caches, which take several megabytes of memory in each process. In published
 * packages, bundlers resolve this module to a copy of undici as an ES module, see `scripts/bundled.mjs`.
 */
export async function loadUndici(load: (name: string) => Promise<unknown> = inner): Promise<Undici> {
  // One after the other: Node.js 22 fails if a module with loader hooks, as Plug'n'Play has them, is imported
  // while another one requires it.
  const pool = await load('pool').catch(() => undefined);
  const connect = await load('connect').catch(() => undefined);
  if (isModule(pool) && isModule(connect)) {
    // seam: modules without declarations; their exports are those of the main module
    return { Pool: pool.default, buildConnector: connect.default } as Undici;
  }
  // The name is a variable, so that no bundler follows it.
  const name: string = 'undici';
  // seam: the declarations of the package
  return (await import(/* webpackIgnore: true */ /* @vite-ignore */ name)) as Undici;
}

function inner(name: string): Promise<unknown> {
  return name === 'pool' ? import('undici/lib/dispatcher/pool.js') : import('undici/lib/core/connect.js');
}

/** Modules have no prototype. */
function isModule(module: unknown): module is { readonly default: unknown } {
  return (
    typeof module === 'object' &&
    module !== null &&
    'default' in module &&
    typeof module.default === 'function'
  );
}
