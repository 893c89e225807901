/** Recordings of the reviews of webhooks, and their replay. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Manager, type ManagerOptions } from '@kgen/controller';
import { converts, defaults, validates, webhooks } from '@kgen/controller/webhooks';
import { secrets } from '@kgen/kubernetes/core/v1';
import { type ClusterConfig, resource } from '@kgen/runtime';
import { forbiddenField } from '@kgen/runtime/objects';
import { replay } from '@kgen/testing';
import { startTestServer } from '@kgen/testserver';
import { describe, expect, onTestFinished, test } from 'vitest';
import { myApps } from '../../generated/crds/my.domain/v1/index.ts';

interface Behaviour {
  readonly version?: string;
  readonly reason?: string;
  readonly isServed?: boolean;
}

/** An operator with webhooks whose behaviour changes between the recording and the replay. */
function operator({ version = '2.0', reason = 'too short', isServed = true }: Behaviour = {}) {
  return (config: ClusterConfig, options: ManagerOptions = {}): Manager => {
    const manager = new Manager(config, { name: 'apps', ...options });
    const stored = resource(manager.rest, myApps).in('default');
    const handlers = [
      defaults(myApps, { handle: ({ spec }) => ({ spec: { ...spec, version } }) }),
      validates(myApps, {
        handle: ({ spec }) => (spec.appName.length > 2 ? [] : [forbiddenField('spec.appName', reason)]),
      }),
      validates(myApps, {
        subresource: 'status',
        operations: ['UPDATE'],
        handle: async () => {
          await stored.find('web');
          return [];
        },
      }),
      validates(secrets, { failurePolicy: 'Ignore', handle: () => [] }),
      converts(myApps, { versions: {} }),
    ];
    if (isServed) manager.add(webhooks({ handlers }));
    return manager;
  };
}

const requests: readonly (readonly [webhook: string, request: object])[] = [
  ['defaults', request('CREATE', 'shop')],
  ['validates', request('CREATE', 'shop')],
  ['validates', request('CREATE', 'a')],
];

function request(operation: string, appName: string): Readonly<Record<string, unknown>> {
  const object = { metadata: { name: 'web', namespace: 'default' }, spec: { appName, version: '1.0' } };
  return {
    uid: `${operation} ${appName}`,
    operation,
    resource: { group: 'my.domain', version: 'v1', resource: 'myapps' },
    kind: { group: 'my.domain', version: 'v1', kind: 'MyApp' },
    name: 'web',
    namespace: 'default',
    userInfo: { username: 'jane', groups: [] },
    object: { apiVersion: 'my.domain/v1', kind: 'MyApp', ...object },
    oldObject: operation === 'UPDATE' ? { apiVersion: 'my.domain/v1', kind: 'MyApp', ...object } : null,
  };
}

const admission = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' };
const conversion = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview' };

const ignore = (): void => undefined;
const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** A manager whose webhooks are served. */
type World = Parameters<NonNullable<ManagerOptions['serveWebhooks']>>[0] & { readonly manager: Manager };

/** Returns the recording of an operator that has responded to reviews. */
async function recording(reviews: readonly (readonly [webhook: string, request: object])[]): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'kgen-replay-'));
  const server = await startTestServer({ crds: ['crds/myapp.yaml'] });
  const stop = new AbortController();
  const operatorOf = operator();
  let end: Promise<void> = Promise.resolve();
  const { manager, paths, respond } = await new Promise<World>((resolve) => {
    const options = { recorder: { directory }, handleSignals: false, log: silent };
    const built = operatorOf(server.config, {
      ...options,
      serveWebhooks: (served) => {
        resolve({ manager: built, ...served });
        return () => undefined;
      },
    });
    end = built.run({ signal: stop.signal });
  });
  onTestFinished(async () => {
    stop.abort();
    await end;
    await server.stop();
    rmSync(directory, { recursive: true });
  });
  for (const [webhook, body] of reviews) {
    const path = paths.find((each) => each.includes(webhook)) ?? webhook;
    const kind = 'objects' in body ? conversion : admission;
    const review = { ...kind, request: body };
    await respond(path, Buffer.from(JSON.stringify(review)), { signal: new AbortController().signal });
  }
  const file = join(directory, 'recording.jsonl');
  await manager.record(file);
  return file;
}

describe('reviews of webhooks', () => {
  test('are repeated, with equal responses', async () => {
    const report = await replay(await recording(requests), operator());
    expect(report.text).toMatch(/0 reconciles, 0 requests and 3 reviews, all as recorded$/);
    expect(report).toMatchObject({ isEqual: true, reviews: 3 });
  });

  test('are repeated with conversions, and without those whose handlers send requests', async () => {
    const converted = {
      uid: 'c',
      desiredAPIVersion: 'my.domain/v1',
      objects: [request('CREATE', 'shop')['object']],
    };
    const file = await recording([
      ['status', { ...request('UPDATE', 'shop'), subResource: 'status' }],
      ['convert', converted],
    ]);
    expect(await replay(file, operator())).toMatchObject({ isEqual: true, reviews: 1 });
  });

  test('of Secrets are not recorded', async () => {
    const resource = { group: '', version: 'v1', resource: 'secrets' };
    const object = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, data: { key: 'c2VjcmV0' } };
    const file = await recording([['secrets', { ...request('CREATE', 'shop'), resource, object }]]);
    expect(readFileSync(file, 'utf8')).not.toContain('"review"');
  });

  test.each([
    {
      name: 'another patch',
      change: { version: '3.0' },
      equal: 0,
      line: /patch\[0\]\S* is "3\.0", recorded "2\.0"/,
    },
    {
      name: 'another message',
      change: { reason: 'too small' },
      equal: 2,
      line: /message is ".*too small.*recorded ".*too short/,
    },
    {
      name: 'no webhook',
      change: { isServed: false },
      equal: 0,
      line: /no webhook of the operator has the path/,
    },
  ])('are a difference with $name', async ({ change, equal, line }) => {
    const report = await replay(await recording(requests), operator(change));
    expect(report).toMatchObject({ isEqual: false, reviews: equal, difference: { kind: 'review' } });
    expect(report.text).toMatch(line);
  });
});
