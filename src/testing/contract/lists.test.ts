import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { start } from '../../testserver/client.fixture.ts';
import { type ListTables, playTables } from './lists.fixture.ts';

test('lists and watches equal those of a real API server for every combination of options', async () => {
  const server = await start({});
  // Written by the test of the real server.
  const want = JSON.parse(
    readFileSync(new URL('fixtures/lists.json', import.meta.url), 'utf8'),
  ) as ListTables;
  expect(await playTables(server.config, async () => server.faults.compact())).toEqual(want);
});
