import { afterAll, describe, expect, test } from 'vitest';
import { contractTests } from './contract-tests.ts';
import { globalFramework, loadFramework } from './framework.ts';

describe('test frameworks', () => {
  test('are vitest if it runs the module', async () => {
    expect(await loadFramework()).toMatchObject({ afterAll, describe, test });
  });

  test('are the global functions, as in jest, which are called at once', () => {
    const calls: string[] = [];
    expect(globalFramework()).toBe(undefined);
    const functions = {
      describe: (name: string, body: () => void) => {
        calls.push(name);
        body();
      },
      test: (name: string) => calls.push(name),
      afterAll: () => undefined,
    };
    try {
      Object.assign(globalThis, functions);
      const resource = {
        ...{ group: '', version: 'v1', kind: 'Pod', listKind: 'PodList', plural: 'pods', singular: 'pod' },
        ...{ scope: 'Namespaced' as const, verbs: [] },
      };
      void contractTests([resource], { server: '' });
      expect(calls).toEqual([
        'contract of the client with the cluster',
        'v1 pods',
        'serves the scope, verbs and subresources',
      ]);
    } finally {
      for (const name of Object.keys(functions)) Reflect.deleteProperty(globalThis, name);
    }
  });

  test('require a clientset', () => {
    // @ts-expect-error an object without resources
    expect(() => contractTests({}, { server: '' }, { framework: { describe, test, afterAll } })).toThrow(
      'the client is not a generated clientset: it names no resource',
    );
  });
});
