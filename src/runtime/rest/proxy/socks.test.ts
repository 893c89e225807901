import { describe, expect, it } from 'vitest';
import { ScriptedSocket } from '../../../../test/support/runtime/scripted-socket.ts';
import { parseProxy } from './proxy.ts';
import { socksTunnel } from './socks.ts';

/**
 * Opens a tunnel through a proxy that sends one of `replies` (hexadecimal) after each message, and then
 * closes the connection.
 */
async function tunnel(
  replies: readonly string[],
  host = 'api.test',
  url = 'socks5://proxy.test:1080',
): Promise<{ readonly written: readonly string[]; readonly code: unknown; readonly rest: string }> {
  const left = [...replies];
  const socket = new ScriptedSocket((_, self) => {
    const reply = left.shift();
    if (reply !== undefined) self.receive(Buffer.from(reply, 'hex'));
    if (left.length === 0) self.finish();
  });
  const proxy = parseProxy(url, 'the test');
  const code = await socksTunnel(socket, proxy, { host, port: 6443 }).then(
    () => 'connected',
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  );
  const rest: unknown = socket.read();
  return {
    written: socket.written.map((bytes) => bytes.toString('hex')),
    code,
    rest: Buffer.isBuffer(rest) ? rest.toString('latin1') : '',
  };
}

const port = '192b';
const connected = `050000010a000001${port}`;

describe('a tunnel through SOCKS 5', () => {
  it.each([
    ['10.0.0.1', '010a000001'],
    ['2001:db8::7', '0420010db8000000000000000000000007'],
    ['::1', '0400000000000000000000000000000001'],
    ['::', '0400000000000000000000000000000000'],
    ['fe80::', '04fe800000000000000000000000000000'],
    ['1:2:3:4:5:6:7:8', '0400010002000300040005000600070008'],
    ['::ffff:10.0.0.1', '0400000000000000000000ffff0a000001'],
    ['api.test', `0308${Buffer.from('api.test').toString('hex')}`],
  ])('requests %s', async (host, address) => {
    expect(await tunnel(['0500', connected], host)).toMatchObject({
      written: ['050100', `050100${address}${port}`],
      code: 'connected',
    });
  });

  it.each([
    ['an IPv4 address', connected],
    ['an IPv6 address', `05000004${'00'.repeat(16)}${port}`],
    ['a name', `0500000308${Buffer.from('api.test').toString('hex')}${port}`],
    ['an empty name', `0500000300${port}`],
  ])('reads a reply with %s, and leaves the bytes after it', async (_, reply) => {
    expect(await tunnel(['0500', `${reply}ffee`])).toMatchObject({ code: 'connected', rest: '\u00ff\u00ee' });
  });

  it.each([
    ['another version in the method selection', ['0400'], 'PROXY_NOT_UNDERSTOOD'],
    ['another version in the reply', ['0500', '0400'], 'PROXY_NOT_UNDERSTOOD'],
    ['another version and a failure', ['0500', '0405'], 'PROXY_NOT_UNDERSTOOD'],
    ['a failure without an address', ['0500', '0505'], 'PROXY_REFUSED'],
    ['a failure that has no name', ['0500', '0563'], 'PROXY_REFUSED'],
    ['no acceptable method', ['05ff'], 'PROXY_AUTHENTICATION_REQUIRED'],
    ['a method that was not offered', ['0502'], 'PROXY_AUTHENTICATION_REQUIRED'],
    ['an incomplete reply', ['0500', connected.slice(0, -2)], 'PROXY_CLOSED'],
    ['no reply', ['0500'], 'PROXY_CLOSED'],
  ])('reports %s', async (_, replies, code) => {
    expect(await tunnel(replies)).toMatchObject({ code });
  });

  it.each([
    ['accepted', ['0502', '0100', connected], 'connected'],
    ['not needed', ['0500', connected], 'connected'],
    ['refused', ['0502', '0101'], 'PROXY_AUTHENTICATION_REQUIRED'],
  ])('sends a user and a password that are %s', async (_, replies, code) => {
    const { written, ...outcome } = await tunnel(replies, '10.0.0.1', 'socks5://jane:s%20x@proxy.test');
    expect(outcome.code).toBe(code);
    expect(written[0]).toBe('05020200');
    if (replies[0] === '0502') {
      expect(written[1]).toBe(
        `0104${Buffer.from('jane').toString('hex')}03${Buffer.from('s x').toString('hex')}`,
      );
    }
  });

  it('reports a name that does not fit its length byte', async () => {
    expect((await tunnel(['0500', connected], 'a'.repeat(255))).code).toBe('connected');
    expect((await tunnel(['0500', connected], 'a'.repeat(256))).code).toBe('PROXY_REFUSED');
  });
});
