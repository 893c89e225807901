import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, object } from '../../schema/values/json.ts';
import { startTestServer } from '../../testserver/server/testserver.ts';
import {
  type ControlPlane,
  controlPlaneAvailability,
  startControlPlane,
} from '../controlplane/controlplane.ts';
import { chaptersOf } from './chapters.fixture.ts';
import { compareChapter, type Outcomes, playOnBoth } from './comparison.fixture.ts';
import type { Step } from './exchange.fixture.ts';
import { listFlags, playTables } from './lists.fixture.ts';
import { startWebhooks, type WebhookServer } from './webhook.fixture.ts';

const availability = controlPlaneAvailability();
if (!availability.available) console.log(`contract with a real API server: skipped, ${availability.reason}`);

/** Returns a table, with the address and the certificate of the webhooks. */
function stepsOf(name: string, webhooks: WebhookServer | undefined): readonly Step[] {
  const table = readFileSync(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8')
    .replaceAll('{url}', webhooks?.url ?? '')
    .replaceAll('{caBundle}', webhooks?.caBundle ?? '');
  // The tables are part of this project.
  return JSON.parse(table) as readonly Step[];
}

describe.skipIf(!availability.available)('the responses equal those of a real API server', () => {
  const servers: { real?: ControlPlane; webhooks?: WebhookServer } = {};

  beforeAll(async () => {
    servers.real = await startControlPlane({ apiServerFlags: listFlags });
    servers.webhooks = await startWebhooks();
  });

  afterAll(async () => {
    await servers.real?.stop();
    await servers.webhooks?.stop();
  });

  const registerTable = (name: string): void => {
    let outcomes: Outcomes = [];

    beforeAll(async () => {
      const memory = await startTestServer({ controllers: ['namespaces', 'garbageCollection'] });
      try {
        outcomes = await playOnBoth(memory.config, servers.real?.config, stepsOf(name, servers.webhooks));
      } finally {
        await memory.stop();
      }
    }, 120_000);

    test.each(chaptersOf(stepsOf(name, undefined)))('%s', (chapter) => compareChapter(outcomes, chapter));
  };

  // Which versions of which groups are served, before the definitions of the other tables are.
  describe('served', () => registerTable('served'));

  // The server in memory is compared with this file by `lists.test.ts`. `UPDATE=1` writes it.
  test('lists and watches equal their table', { timeout: 120_000 }, async () => {
    const file = new URL('fixtures/lists.json', import.meta.url);
    const { real } = servers;
    if (real === undefined) return;
    const tables = await playTables(real.config, () => compact(real.etcd));
    if (process.env['UPDATE'] === '1') writeFileSync(file, `${JSON.stringify(tables, null, 2)}\n`);
    expect(tables).toEqual(JSON.parse(readFileSync(file, 'utf8')));
  });

  describe.each([
    'writes',
    'reads',
    'apply',
    'representations',
    'rules',
    'refused-rules',
    'versions',
    'admission',
  ])('%s', registerTable);
});

/** Compacts the history of etcd up to the current revision, through its HTTP gateway. */
async function compact(etcd: string): Promise<void> {
  const call = async (method: string, body: object): Promise<Json> => {
    const response = await fetch(`${etcd}/v3/kv/${method}`, { method: 'POST', body: JSON.stringify(body) });
    // The gateway responds with JSON.
    return (await response.json()) as Json;
  };
  const { revision } = object(await call('range', { key: Buffer.from('kgen').toString('base64') }), 'header');
  await call('compaction', { revision, physical: true });
}
