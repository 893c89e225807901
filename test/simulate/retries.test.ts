/** Operators that wait for a retry longer than a simulation waits for the next change. */
import { anyChange, Controller, Manager } from '@kgen/controller';
import { InformerFactory, resource } from '@kgen/runtime';
import { addFinalizer, removeFinalizer } from '@kgen/runtime/objects';
import { type Operator, SimulationError, samplesOf, simulate } from '@kgen/testing';
import { expect, test } from 'vitest';
import { myApps } from '../../generated/crds/my.domain/v1/index.ts';

const options = { crds: ['crds/myapp.yaml'], samples: samplesOf(myApps), seeds: 3 } as const;

/** An operator whose deletions fail `failures` times, each with a retry after at least 100 s. */
function operatorOf(failures: number): Operator {
  return (config, given) => {
    const manager = new Manager(config, { name: 'backups', ...given });
    const apps = resource(manager.rest, myApps);
    const controller = new Controller({
      name: 'backups',
      for: { informer: new InformerFactory(manager).of(myApps), predicate: anyChange },
      backoffBaseMs: 100_000,
      reconcile: async (app, { attempt }) => {
        const isTerminating = app.metadata.deletionTimestamp !== undefined;
        if (isTerminating && attempt <= failures) throw new Error('the backup is not complete');
        const change = isTerminating ? removeFinalizer : addFinalizer;
        const changed = change(app, 'my.domain/backup');
        if (changed !== app) await apps.in(app.metadata.namespace).update(changed);
      },
    });
    return manager.add(controller);
  };
}

test('waits for the retry of an operator', { timeout: 120_000 }, async () => {
  expect(await simulate(operatorOf(1), options)).toMatchObject({ seeds: 3 });
});

test('names the errors of an operator whose retries fail', { timeout: 120_000 }, async () => {
  const failure: unknown = await simulate(operatorOf(1_000), options).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(SimulationError);
  expect(failure).toMatchObject({ check: 'deletion' });
  expect(String(failure)).toContain(
    'the last errors in the log of the operator:\n  replica-1: reconcile failed: the backup is not complete',
  );
});
