import { describe, expect, it } from 'vitest';
import { isForbidden, isTimeoutError } from '../errors.ts';
import { applyManifests, deleteManifests } from './manifests.ts';
import { FakeServer, page, refusal } from './server.fixture.ts';
import { isManifestsError, type ManifestResult, type ManifestsError } from './types.ts';

const fieldManager = 'me';

function configMap(name: string, extra = ''): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, labels: { app: web } }\n${extra}\n---\n`;
}

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ovens.example.com }
spec: { group: example.com, names: { kind: Oven, plural: ovens } }
status: { conditions: [{ type: Established, status: "True" }] }
---
`;
const oven = 'apiVersion: example.com/v1\nkind: Oven\nmetadata: { name: big }\n---\n';

function shown(results: readonly ManifestResult[]): readonly string[] {
  return results.map(({ action, object }) => `${action} ${object?.kind}/${object?.name}`);
}

async function failure(work: Promise<unknown>): Promise<ManifestsError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isManifestsError(error)) throw new Error('it should have failed', { cause: error });
  return error;
}

describe('applyManifests', () => {
  it('creates, then finds unchanged, then configures', async () => {
    const server = new FakeServer();
    const options = { fieldManager, namespace: 'shop' };
    const text = configMap('a') + configMap('b');
    const first = await applyManifests(server, text, options);
    expect(first[0]).toEqual({
      place: 'manifests:1:1',
      object: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'a' },
      action: 'created',
    });
    expect(shown(await applyManifests(server, text, options))).toEqual([
      'unchanged ConfigMap/a',
      'unchanged ConfigMap/b',
    ]);
    const changed = configMap('a', 'data: { x: "1" }') + configMap('b');
    expect(shown(await applyManifests(server, changed, options))).toEqual([
      'configured ConfigMap/a',
      'unchanged ConfigMap/b',
    ]);
  });

  it('goes to the namespace default where nothing says another', async () => {
    const server = new FakeServer();
    const [result] = await applyManifests(server.rest, configMap('a'), { fieldManager });
    expect(result?.object?.namespace).toBe('default');
  });

  it('waits until a new kind is served', async () => {
    const server = new FakeServer();
    const Oven = { group: 'example.com', resource: 'ovens', kind: 'Oven', scope: 'Namespaced' } as const;
    server.later.push({ ...Oven, after: 6 });
    let missing = 4;
    server.intercept = ({ path }) => {
      if (!path.endsWith('/ovens/big') || missing === 0) return undefined;
      missing -= 1;
      const said = 'the server could not find the requested resource';
      return missing > 1 ? refusal(404, 'NotFound', said, {}) : page(404);
    };
    const results = await applyManifests(server, oven + definition, { fieldManager });
    expect(shown(results)).toEqual([
      'created CustomResourceDefinition/ovens.example.com',
      'created Oven/big',
    ]);
    expect(missing).toBe(0);
  });

  it('does not wait for a kind whose definition failed', async () => {
    const server = new FakeServer();
    server.intercept = ({ path, method }) =>
      method === 'PATCH' && path.includes('customresource') ? refusal(403, 'Forbidden', 'no') : undefined;
    const error = await failure(applyManifests(server, oven + definition + configMap('a'), { fieldManager }));
    expect(shown(error.results)).toEqual([
      'failed CustomResourceDefinition/ovens.example.com',
      'created ConfigMap/a',
      'failed Oven/big',
    ]);
    expect(isForbidden(error.results[0]?.error)).toBe(true);
    expect(error.cause).toBe(error.results[0]?.error);
  });

  it('leaves unchecked what a dry run cannot know', async () => {
    const server = new FakeServer();
    const results = await applyManifests(server, oven + definition, { fieldManager, dryRun: 'All' });
    expect(shown(results)).toEqual([
      'created CustomResourceDefinition/ovens.example.com',
      'unchecked Oven/big',
    ]);
    const error = await failure(applyManifests(server, oven, { fieldManager, dryRun: 'All' }));
    expect(error.message).toMatch(/Oven big: the server has no .*Oven/);
  });

  it('ends at its limits, whatever it waits for', async () => {
    const server = new FakeServer();
    const text = oven + definition;
    await expect(applyManifests(server, text, { fieldManager, timeoutMs: 300 })).rejects.toSatisfy(
      isTimeoutError,
    );
    const controller = new AbortController();
    const reason = new Error('enough');
    server.intercept = () => {
      controller.abort(reason);
      return undefined;
    };
    const { signal } = controller;
    await expect(applyManifests(server, configMap('a'), { fieldManager, signal })).rejects.toBe(reason);
  });
});

describe('pruning', () => {
  const prune = { labelSelector: { app: 'web' } };
  it('deletes what this manager applied, with its uid as a condition', async () => {
    const server = new FakeServer();
    await applyManifests(server, configMap('a') + configMap('b'), { fieldManager });
    await applyManifests(server, configMap('foreign'), { fieldManager: 'other' });
    const bodies: unknown[] = [];
    server.intercept = ({ method, body }) => {
      if (method === 'DELETE') bodies.push(JSON.parse(String(body)));
      return undefined;
    };
    expect(shown(await applyManifests(server, configMap('a'), { fieldManager, prune }))).toEqual([
      'unchanged ConfigMap/a',
      'pruned ConfigMap/b',
    ]);
    expect(bodies).toEqual([
      expect.objectContaining({
        propagationPolicy: 'Background',
        preconditions: { uid: '/api/v1/namespaces/default/configmaps/b' },
      }),
    ]);
  });

  it.each([
    ['an empty selector', configMap('a'), {}, 'the label selector is empty and selects everything'],
    [
      'an object that is not selected',
      configMap('a'),
      'app=web,tier=x',
      'ConfigMap a (manifests:1:1) does not carry the labels of the selector app=web,tier=x',
    ],
  ])('refuses %s before anything is done', async (_, text, labelSelector, message) => {
    const server = new FakeServer();
    const work = applyManifests(server, text, { fieldManager, prune: { labelSelector } });
    await expect(work).rejects.toThrow(message);
    expect(server.lines).toEqual([]);
  });

  it('does not begin where something failed', async () => {
    const server = new FakeServer();
    await applyManifests(server, configMap('a') + configMap('b'), { fieldManager });
    const error = await failure(applyManifests(server, `${configMap('a')}a: [`, { fieldManager, prune }));
    expect(error.results.map(({ action }) => action)).toEqual(['failed', 'unchanged']);
    expect(server.lines.filter((line) => line.startsWith('DELETE'))).toEqual([]);
  });

  it('reports what could not be looked through', async () => {
    const server = new FakeServer();
    server.intercept = ({ path }) =>
      path.endsWith('/secrets') ? refusal(403, 'Forbidden', 'no') : undefined;
    const kinds = [
      { group: '', kind: 'Secret' },
      { group: 'gone.example.com', kind: 'Gone' },
    ];
    const error = await failure(
      applyManifests(server, configMap('a'), { fieldManager, prune: { ...prune, kinds } }),
    );
    expect(shown(error.results)).toEqual(['created ConfigMap/a', 'failed undefined/undefined']);
    expect(error.message).toContain('list secrets default: 403 Forbidden');
  });
});

describe('deleteManifests', () => {
  it('deletes backwards, and says what was absent', async () => {
    const server = new FakeServer();
    const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n---\n';
    await applyManifests(server, namespace + configMap('a'), { fieldManager, namespace: 'shop' });
    const text = namespace + configMap('a') + configMap('b') + oven;
    expect(shown(await deleteManifests(server, text, { namespace: 'shop' }))).toEqual([
      'absent Oven/big',
      'absent ConfigMap/b',
      'deleted ConfigMap/a',
      'deleted Namespace/shop',
    ]);
  });

  it('goes on past what fails', async () => {
    const server = new FakeServer();
    await applyManifests(server, configMap('a') + configMap('b'), { fieldManager });
    server.intercept = ({ method, path }) =>
      method === 'DELETE' && path.endsWith('/b') ? refusal(403, 'Forbidden', 'no') : undefined;
    const error = await failure(deleteManifests(server, configMap('a') + configMap('b')));
    expect(shown(error.results)).toEqual(['failed ConfigMap/b', 'deleted ConfigMap/a']);
    expect(error.message).toContain('ConfigMap default/b: delete configmaps default/b: 403 Forbidden: no');
  });
});
