/** Storage migration as a part of a manager. */

import { setTimeout as delay } from 'node:timers/promises';
import type { RESTClient } from '@kgen/runtime';
import { consoleLogger, type Logger } from '../../log.ts';
import type { Runnable } from '../../manager/options.ts';
import { migrateStorage, type StorageMigrationOptions } from './migrate-storage.ts';

/** Options of `storageMigration`: those of `migrateStorage`. */
export interface ManagedStorageMigrationOptions extends Omit<StorageMigrationOptions, 'signal' | 'dryRun'> {
  /** Receiver of the result and of failures. Default: the console. */
  readonly log?: Logger | undefined;
}

/** Delay before a failed migration is repeated, in milliseconds; doubled up to an hour. */
const firstRetryMs = 60_000;
const lastRetryMs = 3_600_000;

/**
 * Writes all objects of a custom resource again in the storage version, once this process leads, and removes
 * the other versions from `status.storedVersions` of the definition. If that is done already, it sends one
 * request. It continues a migration of an earlier leader, and repeats one that has failed, after a minute
 * first and an hour at most; the manager runs on.
 * @param manager the manager, so that only the leader writes
 * @example
 * ```ts
 * import { Manager } from '@kgen/controller';
 * import { storageMigration } from '@kgen/controller/webhooks';
 * import { loadConfig } from '@kgen/runtime';
 *
 * const manager = new Manager(await loadConfig(), { leaderElection: { name: 'myapp' } });
 * manager.add(storageMigration(manager, { group: 'my.domain', plural: 'myapps' }));
 * await manager.run();
 * ```
 */
export function storageMigration(
  manager: { readonly rest: RESTClient },
  resource: { readonly group: string; readonly plural: string },
  { log = consoleLogger(), ...options }: ManagedStorageMigrationOptions = {},
): Runnable {
  const name = `storage migration of ${resource.plural}.${resource.group}`;
  return {
    name,
    phase: 'leader',
    run: async ({ stopping }) => {
      for (let retryMs = firstRetryMs; !stopping.aborted; retryMs = Math.min(retryMs * 2, lastRetryMs)) {
        try {
          const result = await migrateStorage(manager.rest, resource, { ...options, signal: stopping });
          const { removed, written, storageVersion } = result;
          if (removed.length > 0)
            log.info({ ...result }, `${name}: ${written} objects are ${storageVersion}`);
          return;
        } catch (error) {
          if (stopping.aborted) return;
          log.error({ err: error, retryMs }, `${name} failed, and is repeated in ${retryMs / 1000} s`);
          await delay(retryMs, undefined, { signal: stopping }).catch(() => undefined); // The loop ends then.
        }
      }
    },
  };
}
