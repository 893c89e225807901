import { describe, expect, it } from 'vitest';
import type { Credential } from '../auth/types.ts';
import type { TlsConfig } from '../config/types.ts';
import { Exchange } from './transport/exchange.ts';
import { type Lease, Leases, noCertificate } from './transport/lease.ts';

const operation = { verb: 'get', resource: 'things' };
const base: TlsConfig = { ca: 'CA', cert: 'CERT', key: 'KEY' };
const withoutProof: TlsConfig = { ca: 'CA' };

/** The leases of a client, the TLS configurations that they acquired and released, and what was rejected. */
function given() {
  const acquired: TlsConfig[] = [];
  const released: TlsConfig[] = [];
  const failed: string[] = [];
  const connections = { dispatch: () => true, destroy: () => Promise.resolve() };
  const leases = new Leases((tls) => {
    if (tls.ca === 'unusable') throw new Error('unusable');
    acquired.push(tls);
    const release = async (): Promise<void> => {
      released.push(tls);
    };
    return {
      connections: { requests: connections, streams: connections, upgrades: connections, stage: () => '' },
      release,
    };
  });
  const begin = (lease: Lease, name: string, stream: boolean): Exchange => {
    const exchange = new Exchange(operation, stream, {
      started: () => undefined,
      responded: () => undefined,
      failed: (error) => failed.push(`${name}: ${error instanceof Error ? error.name : error}`),
      explain: (error) => error,
      ended: lease.ended,
    });
    lease.add(exchange);
    return exchange;
  };
  return { leases, acquired, released, failed, begin };
}

/** Lets a share be released. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the leases of a client', () => {
  it.each<[name: string, credential: Credential | typeof noCertificate | undefined, tls: TlsConfig]>([
    ['no credential', undefined, base],
    ['a token', { authorization: 'Bearer abc' }, base],
    ['a certificate of its own', { cert: 'OWN', key: 'OWN KEY' }, { ca: 'CA', cert: 'OWN', key: 'OWN KEY' }],
    ['no certificate', noCertificate, withoutProof],
  ])('keep one lease for %s', (_, credential, tls) => {
    const { leases, acquired } = given();
    const lease = leases.for(base, credential);
    expect(lease.tls).toEqual(tls);
    expect(leases.for(base, credential)).toBe(lease);
    expect(acquired).toEqual([tls]);
  });

  it('are one for requests without a certificate where the configuration has none', () => {
    const { leases, acquired } = given();
    expect(leases.for(withoutProof, noCertificate)).toBe(leases.for(withoutProof, undefined));
    expect(acquired).toEqual([withoutProof]);
  });

  it('are separate for each kind of credential', () => {
    const { leases } = given();
    const credential = { cert: 'OWN', key: 'OWN KEY' };
    const all = (): Lease[] => [
      leases.for(base, undefined),
      leases.for(base, credential),
      leases.for(base, noCertificate),
    ];
    const first = all();
    expect(new Set(first).size).toBe(3);
    expect(all().map((lease, at) => lease === first[at])).toEqual([true, true, true]);
  });

  it.each([
    ['another certificate', { ...base, cert: 'NEW' }, ['stream: TransportError']],
    ['another key', { ...base, key: 'NEW' }, ['stream: TransportError']],
    ['another CA', { ...base, ca: 'NEW' }, []],
  ])('end the streams, but not the requests, for %s: case %#', async (_, tls, failures) => {
    const { leases, released, failed, begin } = given();
    const old = leases.for(base, undefined);
    const request = begin(old, 'request', false);
    const stream = begin(old, 'stream', true);
    const next = leases.for(tls, undefined);
    expect(next).not.toBe(old);
    expect(leases.for(tls, undefined)).toBe(next);
    expect(failed).toEqual(failures);
    if (failures.length === 0) old.ended(stream);
    await settled();
    expect(released).toEqual([]);
    old.ended(request);
    await settled();
    expect(released).toEqual([base]);
  });

  it('use the newest certificate also for requests that have the credential before it', () => {
    const { leases, acquired } = given();
    const [first, second] = [
      { cert: 'FIRST', key: 'F' },
      { cert: 'SECOND', key: 'S' },
    ];
    const old = leases.for(base, first);
    const newest = leases.for(base, second);
    expect(newest).not.toBe(old);
    expect(leases.for(base, first)).toBe(newest);
    expect(leases.for(base, second)).toBe(newest);
    expect(acquired.map(({ cert }) => cert)).toEqual(['FIRST', 'SECOND']);
  });

  it('follow a configuration that changes under a credential, whose certificate stays in use', () => {
    const { leases, acquired } = given();
    const credential = { cert: 'OWN', key: 'K' };
    const next = { ca: 'NEW' };
    leases.for(base, credential);
    const lease = leases.for(next, credential);
    expect(lease.tls).toEqual({ ca: 'NEW', cert: 'OWN', key: 'K' });
    expect(leases.for(next, credential)).toBe(lease);
    const other = leases.for(next, { cert: 'OTHER', key: 'O' });
    expect(other.tls.cert).toBe('OTHER');
    expect(leases.for(next, credential)).toBe(other);
    expect(acquired.map(({ cert }) => cert)).toEqual(['OWN', 'OWN', 'OTHER']);
  });

  it('without a certificate follow the configuration', async () => {
    const { leases, released } = given();
    leases.for(base, noCertificate);
    const next = { ...base, ca: 'NEW' };
    expect(leases.for(next, noCertificate).tls).toEqual({ ca: 'NEW' });
    await settled();
    expect(released).toEqual([withoutProof]);
  });

  it('stay as they were where a configuration cannot be used', async () => {
    const { leases, released } = given();
    const lease = leases.for(base, undefined);
    expect(() => leases.for({ ...base, ca: 'unusable' }, undefined)).toThrow('unusable');
    expect(leases.for(base, undefined)).toBe(lease);
    await settled();
    expect(released).toEqual([]);
  });

  it('end everything that runs when they are closed, also on retired leases', async () => {
    const { leases, released, failed, begin } = given();
    begin(leases.for(base, undefined), 'retired', false);
    const next = { ...base, ca: 'NEW' };
    begin(leases.for(next, undefined), 'present', true);
    await leases.close(() => new Error('closed'));
    expect(failed).toEqual(['retired: Error', 'present: Error']);
    expect(released).toContain(base);
    expect(released).toContain(next);
  });
});
