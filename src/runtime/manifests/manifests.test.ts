import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { holdTime, until } from '../../../test/support/runtime/no-time-passes.ts';
import { isTimeoutError } from '../api/errors.ts';
import { isForbidden, isNotFound, isUnauthorized } from '../api/failure-reasons.ts';
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

  it.each([
    [undefined, undefined, 'default'],
    ['shop', undefined, 'shop'],
    ['shop', 'other', 'other'],
  ])('uses the namespace of the configuration (%s) or of the call (%s): %s', async (own, namespace, want) => {
    const server = new FakeServer(own);
    for (const target of [server, server.rest]) {
      const [result] = await applyManifests(target, configMap('a'), { fieldManager, namespace });
      expect(result?.object?.namespace).toBe(want);
    }
  });

  it('applies adjacent objects of one kind concurrently', async () => {
    const server = new FakeServer();
    const names = Array.from({ length: 20 }, (_, index) => `c${index}`);
    const results = await applyManifests(server, names.map((name) => configMap(name)).join(''), {
      fieldManager,
    });
    expect(results.map(({ object }) => object?.name)).toEqual(names);
    expect(server.most).toBe(8);
  });

  it('rejects an object that occurs twice, wherever its namespace is named', async () => {
    const server = new FakeServer();
    const twice = configMap('a') + configMap('a').replace('labels', 'namespace: default, labels');
    const { results } = await failure(applyManifests(server, twice, { fieldManager }));
    expect(shown(results)).toEqual(['created ConfigMap/a', 'failed ConfigMap/a']);
    expect(results[1]?.error?.message).toMatch(
      /^the same object as at manifests:1:1; leave one of them out$/,
    );
  });

  it('yields each result until it ends', async () => {
    const server = new FakeServer();
    const reported: ManifestResult[] = [];
    const options = { fieldManager, onResult: (result: ManifestResult) => void reported.push(result) };
    const text = `${oven}${definition}a: [\n---\n${configMap('a')}`;
    server.later.push({
      group: 'example.com',
      resource: 'ovens',
      kind: 'Oven',
      scope: 'Namespaced',
      after: 0,
    });
    const error = await failure(applyManifests(server, text, options));
    expect(reported).toEqual(error.results);
    expect(reported.map(({ action }) => action)).toEqual(['failed', 'created', 'created', 'created']);
    reported.length = 0;
    const reason = new Error('enough');
    const controller = new AbortController();
    server.intercept = ({ path }) => {
      if (path.endsWith('/configmaps/a')) controller.abort(reason);
      return undefined;
    };
    const ended = deleteManifests(server, oven + configMap('a'), { ...options, signal: controller.signal });
    await expect(ended).rejects.toBe(reason);
    expect(shown(reported)).toEqual(['deleted Oven/big']);
  });

  it.each([
    ['a server that does not know who asks', refusal(401, 'Unauthorized', 'who?'), isUnauthorized],
    ['a server that is none', page(404), isNotFound],
  ])('throws at once for %s', async (_, response, is) => {
    const server = new FakeServer();
    server.unreachable = response;
    await expect(applyManifests(server, configMap('a'), { fieldManager })).rejects.toSatisfy(is);
  });

  it.each([
    ['comments', '# nothing\n'],
    ['empty documents', '---\n---\n'],
    ['an empty list', 'kind: List\napiVersion: v1\nitems: []\n'],
    ['nothing', ''],
  ])('throws before any request for manifests without objects: %s', async (_, text) => {
    const server = new FakeServer();
    const work = applyManifests(server, text, { fieldManager, source: 'apps.yaml' });
    await expect(work).rejects.toThrow('apps.yaml: no objects to apply: the manifests contain none');
    expect(server.lines).toEqual([]);
  });

  it('requires a field manager', async () => {
    const work = applyManifests(new FakeServer(), configMap('a'), { fieldManager: '' });
    await expect(work).rejects.toThrow('applyManifests needs a fieldManager');
  });

  it('waits for all definitions together, up to its time-out', async () => {
    const server = new FakeServer();
    const ovens = Array.from({ length: 30 }, (_, index) => oven.replace('big', `o${index}`)).join('');
    const error = await failure(
      applyManifests(server, definition + ovens, { fieldManager, definitionTimeoutMs: 50 }),
    );
    // In sequence, each with its own limit, they would exceed the time-out of this test.
    expect(error.results.filter(({ error }) => /no kind "Oven"/.test(error?.message ?? ''))).toHaveLength(30);
    const never = definition.replace('"True"', '"False"');
    const other = await failure(applyManifests(server, never, { fieldManager, definitionTimeoutMs: 50 }));
    expect(other.message).toMatch(/CustomResourceDefinition ovens.example.com: .*within 50 ms/);
  });

  it('waits until a new kind is served', async () => {
    const server = new FakeServer();
    const Oven = { group: 'example.com', resource: 'ovens', kind: 'Oven', scope: 'Namespaced' } as const;
    server.later.push({ ...Oven, after: 6 });
    let missing = 4;
    server.intercept = ({ path }) => {
      if (!path.endsWith('/ovens/big') || missing === 0) return undefined;
      missing -= 1;
      const stated = 'the server could not find the requested resource';
      return missing > 1 ? refusal(404, 'NotFound', stated, {}) : page(404);
    };
    // A mapper sends a discovery request at most every 5 s by this clock, unless it is reset.
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    onTestFinished(() => now.mockRestore());
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

  it('skips checks that a dry run cannot make', async () => {
    const server = new FakeServer();
    const results = await applyManifests(server, oven + definition, { fieldManager, dryRun: 'All' });
    expect(shown(results)).toEqual([
      'created CustomResourceDefinition/ovens.example.com',
      'unchecked Oven/big',
    ]);
    const error = await failure(applyManifests(server, oven, { fieldManager, dryRun: 'All' }));
    expect(error.message).toMatch(/Oven big: the server has no .*Oven/);
  });

  it('times out and aborts while it waits', async () => {
    const server = new FakeServer();
    const text = oven + definition;
    holdTime();
    const late = applyManifests(server, text, { fieldManager, timeoutMs: 600_000 });
    const outcome = expect(late).rejects.toThrow(
      'apply manifests: timed out after 600000 ms: 1 of 2 objects are done, under way Oven big (manifests:1:1)',
    );
    // The kind is looked up again after each pause.
    await until(() => {
      if (vi.getTimerCount() > 1) vi.advanceTimersByTime(1);
      return server.lookups > 2;
    });
    vi.advanceTimersByTime(600_000);
    await outcome;
    await expect(late).rejects.toSatisfy(isTimeoutError);
    vi.useRealTimers();
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

describe('applyManifests with prune', () => {
  const prune = { labelSelector: { app: 'web' } };
  it('deletes objects that this manager applied, with the uid as a precondition', async () => {
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
      'ConfigMap a (manifests:1:1) does not match the selector app=web,tier=x',
    ],
    [
      'what objects without labels meet',
      configMap('a'),
      '!legacy',
      'the selector !legacy also selects objects without labels',
    ],
    ['a text without objects', '# nothing\n---\n', { app: 'web' }, 'the manifests have no objects'],
  ])('throws for %s before any request', async (_, text, labelSelector, message) => {
    const server = new FakeServer();
    const work = applyManifests(server, text, { fieldManager, prune: { labelSelector } });
    await expect(work).rejects.toThrow(message);
    expect(server.lines).toEqual([]);
  });

  it('deletes all objects if allowEmpty is set', async () => {
    const server = new FakeServer();
    await applyManifests(server, configMap('a'), { fieldManager });
    const kinds = [{ group: '', kind: 'ConfigMap' }];
    const all = { ...prune, kinds, namespaces: ['default'], allowEmpty: true };
    expect(shown(await applyManifests(server, '', { fieldManager, prune: all }))).toEqual([
      'pruned ConfigMap/a',
    ]);
  });

  it.each([
    [
      'whose status only it applied',
      { managedFields: [{ manager: 'me', operation: 'Apply', subresource: 'status' }] },
    ],
    ['that it updated', { managedFields: [{ manager: 'me', operation: 'Update' }] }],
    ['that a controller owns', { extra: 'ownerReferences: [{ controller: true }]' }],
    ['that is being deleted', { extra: 'deletionTimestamp: "2024-01-01T00:00:00Z"' }],
    ['that is in the text as of another group', { extra: 'uid: /api/v1/namespaces/default/configmaps/a' }],
  ])(
    'keeps an object that %s',
    async (_, { managedFields = [], extra }: { managedFields?: object[]; extra?: string }) => {
      const server = new FakeServer();
      server.managedFields = managedFields;
      const kept =
        extra === undefined ? configMap('b') : configMap('b').replace('labels', `${extra}, labels`);
      await applyManifests(server, kept, { fieldManager });
      expect(shown(await applyManifests(server, configMap('a'), { fieldManager, prune }))).toEqual([
        'created ConfigMap/a',
      ]);
    },
  );

  it('does not start after a failure', async () => {
    const server = new FakeServer();
    await applyManifests(server, configMap('a') + configMap('b'), { fieldManager });
    const error = await failure(applyManifests(server, `${configMap('a')}a: [`, { fieldManager, prune }));
    expect(error.results.map(({ action }) => action)).toEqual(['failed', 'unchanged']);
    expect(server.lines.filter((line) => line.startsWith('DELETE'))).toEqual([]);
  });

  it('reports kinds that cannot be listed', async () => {
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
    expect(error.message).toContain('list secrets in namespace default: 403 Forbidden');
  });
});

describe('deleteManifests', () => {
  it('deletes in reverse order and reports missing objects', async () => {
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

  it('continues after a failure', async () => {
    const server = new FakeServer();
    await applyManifests(server, configMap('a') + configMap('b'), { fieldManager });
    server.intercept = ({ method, path }) =>
      method === 'DELETE' && path.endsWith('/b') ? refusal(403, 'Forbidden', 'no') : undefined;
    const error = await failure(deleteManifests(server, configMap('a') + configMap('b')));
    expect(shown(error.results)).toEqual(['failed ConfigMap/b', 'deleted ConfigMap/a']);
    expect(error.message).toContain('ConfigMap default/b: delete configmaps default/b: 403 Forbidden: no');
  });
});

describe('manifests in files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kgen-apply-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('are applied and deleted, and errors name the file and the line', async () => {
    writeFileSync(join(folder, 'a.yaml'), configMap('a') + configMap('b'));
    writeFileSync(join(folder, 'b.json'), '{ "kind": "ConfigMap" }');
    writeFileSync(join(folder, 'c.yaml'), `\n${configMap('a')}x: [\n`);
    const server = new FakeServer();
    const error = await failure(applyManifests(server, { files: folder }, { fieldManager }));
    expect(shown(error.results).filter((line) => !line.startsWith('failed'))).toEqual([
      'created ConfigMap/a',
      'created ConfigMap/b',
    ]);
    expect(error.message.replaceAll(folder, '').split('\n').slice(1)).toEqual([
      expect.stringMatching(/^ {2}\/b\.json:1:1: not a Kubernetes object: it has no apiVersion$/),
      expect.stringMatching(/^ {2}\/c\.yaml:8:1: not YAML: /),
      expect.stringMatching(/^ {2}\/c\.yaml:2:1: ConfigMap .*a: the same object as at \/a\.yaml:1:1/),
    ]);
    const results = await deleteManifests(server, { files: [join(folder, '[a]*.yaml')] });
    expect(shown(results)).toEqual(['deleted ConfigMap/b', 'deleted ConfigMap/a']);
    expect(results[0]?.place).toBe(`${join(folder, 'a.yaml')}:6:1`);
  });

  it('are not applied if one of them does not exist', async () => {
    const server = new FakeServer();
    const files = [join(folder, 'a.yaml'), join(folder, 'none.yaml')];
    await expect(applyManifests(server, { files }, { fieldManager })).rejects.toThrow(
      'none.yaml: no such file',
    );
    expect(server.lines).toEqual([]);
  });

  it('are recommended for a string that is a file name', async () => {
    const error = await failure(applyManifests(new FakeServer(), 'apps/a.yaml', { fieldManager }));
    expect(error.message).toContain('pass { files: "apps/a.yaml" } to read a file');
  });

  it.each([undefined, 5, {}, { file: 'a' }])('throws TypeError for %j', async (input) => {
    const call = Reflect.apply(applyManifests, undefined, [new FakeServer(), input, { fieldManager }]);
    await expect(call).rejects.toThrow('manifests must be a string of YAML or JSON, { files: … }, an object');
  });
});
