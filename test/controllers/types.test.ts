import { Controller, type Manager } from '@kgen/controller';
import type { Stored } from '@kgen/runtime';
import { describe, expectTypeOf, it } from 'vitest';
import type { Clientset } from '../../generated/crds/clientset.ts';
import type { InformerFactory } from '../../generated/crds/informers.ts';
import type { MyApp } from '../../generated/crds/my.domain/v1/index.ts';
import type { Foo } from '../../generated/crds/samplecontroller.c9g.io/v1alpha1/index.ts';

/** Never called: the compiler checks it. */
export function controllers(manager: Manager, informers: InformerFactory, clientset: Clientset): void {
  const apps = informers.myV1.myApps();
  const foos = informers.samplecontrollerV1alpha1.foos();
  const controller = new Controller({
    name: 'myapp',
    for: apps,
    owns: [foos, { informer: foos, predicate: ({ type }) => type !== 'add' }],
    watches: [
      {
        informer: foos,
        map: (foo) => {
          expectTypeOf(foo).toEqualTypeOf<Stored<Foo>>();
          return [{ namespace: foo.metadata.namespace, name: foo.spec?.image ?? '' }];
        },
      },
      { informer: apps, map: (app) => [{ namespace: app.metadata.namespace, name: app.spec.appName }] },
    ],
    client: clientset,
    reconcile: async (app, { client, signal, stopping, attempt, isLastAttempt, cause, record, log, key }) => {
      expectTypeOf(app).toEqualTypeOf<Stored<MyApp>>();
      expectTypeOf(client).toEqualTypeOf<Clientset>();
      expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
      expectTypeOf(stopping).toEqualTypeOf<AbortSignal>();
      expectTypeOf(attempt).toEqualTypeOf<number>();
      expectTypeOf(isLastAttempt).toEqualTypeOf<boolean>();
      log.info({ cause, key }, 'reconciles');
      record.event({ type: 'Normal', reason: 'Deployed', action: 'Reconcile', note: 'x' });
      return { requeueAfterMs: 30_000 };
    },
    finalize: async (app) => {
      expectTypeOf(app).toEqualTypeOf<Stored<MyApp>>();
    },
  });
  manager.add(controller);
  manager.add(new Controller({ name: 'keys', for: apps, reconcileKey: async () => undefined }));
  manager.add(new Controller({ name: 'sync', for: { informer: apps }, reconcile: () => {} }));
  // @ts-expect-error a result of another type
  new Controller({ name: 'result', for: apps, reconcile: async () => 'done' });
  // @ts-expect-error either of the two functions
  new Controller({ name: 'both', for: apps, reconcile: () => {}, reconcileKey: () => {} });
  // @ts-expect-error the name is missing
  new Controller({ for: apps, reconcile: () => {} });
}

describe('types of controllers', () => {
  it('follow those of their informers and client', () => {
    expectTypeOf(controllers).toBeFunction();
  });
});
