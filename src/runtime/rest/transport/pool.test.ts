import { expect, it } from 'vitest';
import type { Identity } from './identity.ts';
import { acquire } from './pool.ts';

const identity: Identity = {
  address: { origin: 'https://api.test', prefix: '', secure: true, loopback: false },
  tls: {},
  proxy: undefined,
  http2: false,
};

it('shares connections by identity until the last share is released', async () => {
  const first = acquire(identity, {});
  const second = acquire({ ...identity, address: { ...identity.address, prefix: '/k8s' } }, {});
  expect(second.connections).toBe(first.connections);
  const other = acquire({ ...identity, tls: { serverName: 'other.test' } }, {});
  expect(other.connections).not.toBe(first.connections);
  // A share that is released twice counts once.
  await first.release();
  await first.release();
  const third = acquire(identity, {});
  expect(third.connections).toBe(second.connections);
  await Promise.all([second.release(), third.release()]);
  const next = acquire(identity, {});
  expect(next.connections).not.toBe(second.connections);
  await Promise.all([next.release(), other.release()]);
});

it('keeps requests and streams apart', async () => {
  const { connections, release } = acquire(identity, {});
  expect(connections.requests).not.toBe(connections.streams);
  await release();
});
