import { expect, it } from 'vitest';
import type { ConnectionTarget } from './connection-key.ts';
import { acquire as open } from './pool.ts';
import { loadUndici } from './undici.ts';

const undici = await loadUndici();
const acquire = (target: ConnectionTarget) => open(target, { undici });

const target: ConnectionTarget = {
  address: { origin: 'https://api.test', prefix: '', secure: true, loopback: false },
  tls: {},
  proxy: undefined,
};

it('shares connections by target until the last share is released', async () => {
  const first = acquire(target);
  const second = acquire({ ...target, address: { ...target.address, prefix: '/k8s' } });
  expect(second.connections).toBe(first.connections);
  const other = acquire({ ...target, tls: { serverName: 'other.test' } });
  expect(other.connections).not.toBe(first.connections);
  // A share that is released twice counts once.
  await first.release();
  await first.release();
  const third = acquire(target);
  expect(third.connections).toBe(second.connections);
  await Promise.all([second.release(), third.release()]);
  const next = acquire(target);
  expect(next.connections).not.toBe(second.connections);
  await Promise.all([next.release(), other.release()]);
});

it('keeps requests and streams apart', async () => {
  const { connections, release } = acquire(target);
  expect(connections.requests).not.toBe(connections.streams);
  await release();
});
