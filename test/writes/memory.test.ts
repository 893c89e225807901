/** Writes that are skipped are those without an effect: histories on the server in memory. */
import { startTestServer, type TestServer } from '@kgen/testserver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedsOf } from '../support/seeds.ts';
import { cases } from './cases.ts';
import { historyOf } from './generator.ts';
import { definitions } from './kinds.ts';
import type { Cluster } from './other-processes.ts';
import { problemOf } from './report.ts';
import { webhook } from './webhook.ts';

let server: TestServer;
let cluster: Cluster;
beforeAll(async () => {
  server = await startTestServer({
    controllers: false,
    crds: definitions.map((definition) => ({ yaml: JSON.stringify(definition) })),
    webhooks: [webhook],
  });
  cluster = { config: server.config, transport: server.transport };
});
afterAll(() => server?.stop());

test.each(cases.map((row, index) => [row.title, row.history, index] as const))(
  'a write is sent if %s',
  async (_title, history, index) => {
    expect(await problemOf({ cluster, name: `case-${index}` }, history)).toBeUndefined();
  },
);

test('random histories skip no write that has an effect, and send none at rest', {
  timeout: 3_600_000,
}, async () => {
  for (const seed of seedsOf({ all: 200, few: 10 })) {
    expect(
      await problemOf({ cluster, name: `seed-${seed}` }, historyOf(seed)),
      `KGEN_SEED=${seed}`,
    ).toBeUndefined();
  }
});
