/** The token of a long watch expires, and is renewed in its file. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InformerFactory, RESTClient } from '@kgen/runtime';
import { expect, onTestFinished, test } from 'vitest';
import { Chance } from './chance.ts';
import { ApiServer } from './server/server.ts';
import { SimulatedClock } from './simulated-clock.ts';
import { transportTo, widgets } from './widgets.ts';

const unauthorized = { type: 'failure', failure: { status: 401 } } as const;

test('resumes a watch whose token has expired with the next token, without a list and an error', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kgen-token-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const tokenFile = join(folder, 'token');
  await writeFile(tokenFile, 'first');
  const [clock, chance] = [new SimulatedClock(), new Chance(3)];
  const server = new ApiServer(clock, new Chance(3), {
    cache: true,
    state: 'streamed',
    pageSize: 5,
    prompt: true,
  });
  const transport = transportTo(server);
  const tokens: string[] = [];
  let valid = 'first';
  const rest = new RESTClient(
    { server: 'http://server', auth: { tokenFile } },
    {
      transport: (request) => {
        const token = (request.headers['authorization'] ?? '').replace('Bearer ', '');
        tokens.push(token);
        if (token !== valid) server.faults.plan({ name: 'token', for: 'any', fault: unauthorized });
        return transport(request);
      },
    },
  );
  const informers = new InformerFactory({ rest }, { environment: { clock, random: () => 0 } });
  const informer = informers.of(widgets);
  const errors: unknown[] = [];
  informer.on('error', (error) => errors.push(error));
  server.database.put({ namespace: 'shop', name: 'a', tier: 'web', size: 1 }, chance);
  server.publish();
  const reported = new Promise<string>((resolve) => {
    informer.handle({ update: ({ metadata }) => resolve(metadata.resourceVersion) });
  });
  await informers.start();
  await informers.waitForSync();
  await writeFile(tokenFile, 'second');
  valid = 'second';
  server.database.put({ namespace: 'shop', name: 'a', tier: 'web', size: 2 }, chance);
  // No further data is sent: the change arrives with the next watch.
  for (const stream of server.streams) stream.close('token expired');
  server.publish();
  expect(await reported).toBe(String(server.database.version));
  expect(errors).toEqual([]);
  expect(tokens).toEqual(['first', 'first', 'second']);
  const verbs = server.journal.notes.flatMap((note) => (note.type === 'request' ? [note.verb] : []));
  expect(verbs).toEqual(['stream', 'watch', 'watch']);
  await informers.stop();
  await rest.close();
});
