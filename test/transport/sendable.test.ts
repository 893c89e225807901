/** Every transport rejects the same requests with the same messages, and sends all others identically. */
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import { type CertificateAuthority, createAuthority } from '@kgen/certificates/authority';
import { RESTClient } from '@kgen/runtime';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { APIRequest, BodyOptions } from '../../src/runtime/exports/rest.ts';
import { httpProxy, socksProxy } from './proxies.ts';
import { failure, listen } from './support.ts';

let authority: CertificateAuthority;
let pair: { readonly cert: string; readonly key: string };
beforeAll(async () => {
  authority = await createAuthority();
  pair = await authority.issueServer('api', { names: ['localhost'], addresses: ['127.0.0.1'] });
});

/** A request as the server received it. */
interface Received {
  readonly method: string;
  readonly url: string;
  readonly authority: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

let received: Received[] = [];
beforeEach(() => {
  received = [];
});

/** Returns the compared headers; the others depend on the protocol. */
function compared(headers: IncomingHttpHeaders): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) =>
      /^(x-|impersonate-|authorization$|user-agent$|te$)/.test(name),
    ),
  );
}

/** Creates one client per transport to the same server. */
async function ways(): Promise<Readonly<Record<string, RESTClient>>> {
  const server = createServer(pair, (request, response) => {
    const { method = '', url = '', headers } = request;
    received.push({
      method,
      url,
      authority: String(headers.host),
      headers: compared(headers),
    });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  const port = await listen(server);
  const config = {
    server: `https://127.0.0.1:${port}`,
    tls: { ca: authority.cert },
    disableCompression: true,
    auth: { token: 'own' },
  };
  const http = `http://127.0.0.1:${(await httpProxy(port)).port}`;
  const socks = `socks5://127.0.0.1:${(await socksProxy(port)).port}`;
  const clients = {
    'without a proxy': new RESTClient(config),
    'through a proxy': new RESTClient({ ...config, proxyUrl: http }),
    'through SOCKS': new RESTClient({ ...config, proxyUrl: socks }),
  };
  onTestFinished(async () => {
    await Promise.all(Object.values(clients).map((rest) => rest.close()));
  });
  return clients;
}

function given(
  path: string,
  headers: Record<string, string> = {},
  more: Partial<APIRequest> = {},
): APIRequest {
  const operation = { verb: 'delete', resource: 'pods', namespace: 'shop', name: 'web' };
  return { method: 'DELETE', path, query: [], headers, operation, ...more };
}

const at = '/api/v1/namespaces/shop/pods';
const secret = 'sesame';

const refused: Readonly<Record<string, readonly [request: APIRequest, words: RegExp]>> = {
  'a name whose low bytes are another': [given(`${at}/Łeb`), /path has the character U\+0141/],
  'dots in disguise': [given(`${at}/ĮĮ/x`), /path has the character U\+012E/],
  'a question mark in disguise': [given(`${at}/Ŀx`), /path has the character U\+013F/],
  'a path in Latin-1': [given(`${at}/é`), /path has the character U\+00E9, .* encodeURIComponent/],
  'a path outside the basic plane': [given(`${at}/😀`), /path has the character U\+1F600/],
  'half a character': [given(`${at}/\ud83d`), /path has the character U\+D83D/],
  'a path with a line break': [given(`${at}/a\r\nx-a: b`), /path has the character U\+000D/],
  'a path with a space': [given(`${at}/a b`), /path has the character U\+0020/],
  'a path with a fragment': [given(`${at}/a#b`), /path has the character U\+0023/],
  'a path with NUL': [given(`${at}/a\0`), /path has the character U\+0000/],
  'a user whose low bytes are another': [
    given(at, { 'impersonate-user': 'Łdmin' }),
    /value of the header impersonate-user has the character U\+0141/,
  ],
  'a value with a line break': [
    given(at, { 'x-a': `${secret}\r\nx-b: c` }),
    /value of the header x-a has the character U\+000D/,
  ],
  'a value with NUL': [given(at, { 'X-A': `${secret}\0` }), /value of the header x-a .* U\+0000/],
  'a value with DEL': [given(at, { 'x-a': `${secret}\x7f` }), /value of the header x-a .* U\+007F/],
  'a credential with a line break': [
    given(at, { Authorization: `Bearer ${secret}\n` }),
    /value of the header authorization has the character U\+000A/,
  ],
  'a name with a space': [given(at, { 'x a': secret }), /"x a" is not a valid header name/],
  'a name with a line break': [given(at, { 'x\r\na': secret }), /"x\?\?a" is not a valid header name/],
  'a name that is empty': [given(at, { '': secret }), /"" is not a valid header name/],
  'a pseudo-header of HTTP/2': [given(at, { ':path': '/other' }), /":path" is not a valid header name/],
  'a name of a header whose low bytes are another': [
    given(at, { 'x-Ł': secret }),
    /is not a valid header name/,
  ],
  connection: [given(at, { Connection: 'close' }), /header connection is set by the connection/],
  'transfer-encoding': [given(at, { 'transfer-encoding': 'chunked' }), /is set by the connection/],
  upgrade: [given(at, { upgrade: 'websocket' }), /is set by the connection/],
  'keep-alive': [given(at, { 'keep-alive': 'x' }), /is set by the connection/],
  expect: [given(at, { expect: '100-continue' }), /is set by the connection/],
  te: [given(at, { te: 'gzip' }), /is set by the connection/],
  'the length of another body': [given(at, { 'content-length': '5' }), /differs from the length of the body/],
  'a user to impersonate with a line break': [
    given(at, {}, { impersonate: { user: `${secret}\r\nimpersonate-group: system:masters` } }),
    /the user to impersonate cannot be sent/,
  ],
  'a user to impersonate with half a character': [
    given(at, {}, { impersonate: { user: `${secret}\ud83d` } }),
    /the user to impersonate cannot be sent/,
  ],
  'an extra value to impersonate with half a character in its name': [
    given(at, {}, { impersonate: { user: 'jane', extra: { 'a\ud83d': ['b'] } } }),
    /an extra value to impersonate has a name that cannot be sent/,
  ],
};

describe('every request API rejects', () => {
  it.each(Object.entries(refused))('%s', async (_, [request, words]) => {
    const messages = new Set<string>();
    for (const rest of Object.values(await ways())) {
      for (const call of [
        () => rest.request(request),
        () => rest.stream({ ...request, timeoutMs: 20_000 }),
      ]) {
        const error = await failure(call());
        expect(error).toBeInstanceOf(TypeError);
        messages.add(error.message);
      }
    }
    const [message] = messages;
    expect(messages.size).toBe(1);
    expect(message).toMatch(words);
    expect(message).not.toContain(secret);
    expect(received).toEqual([]);
  });

  it('rejects a template with such a name, and names the request', async () => {
    for (const rest of Object.values(await ways())) {
      const error = await failure(rest.delete(`${at}/Łeb`));
      expect(error).toBeInstanceOf(TypeError);
      expect(error.message).toBe(
        `delete ${at}/Łeb: the path has the character U+0141, which URLs cannot contain; escape it with encodeURIComponent`,
      );
    }
    expect(received).toEqual([]);
  });

  it('rejects only the request and keeps the connection', async () => {
    for (const rest of Object.values(await ways())) {
      await failure(rest.request(given(`${at}/Łeb`)));
      await expect(rest.request(given(at))).resolves.toEqual({});
    }
  });
});

describe('every request whose last check fails', () => {
  it('rejects with the error of the check, is not sent, and keeps the connection', async () => {
    const closed = new Error('closed');
    const beforeWrite = (): void => {
      throw closed;
    };
    for (const rest of Object.values(await ways())) {
      await expect(rest.request({ ...given(at), beforeWrite })).rejects.toBe(closed);
      expect(received).toEqual([]);
      await expect(rest.request(given(at))).resolves.toEqual({});
      await expect(rest.request({ ...given(at), beforeWrite })).rejects.toBe(closed);
      expect(received.splice(0)).toHaveLength(1);
    }
  });
});

const name = 'Łeb';
const sent: Readonly<Record<string, readonly [request: APIRequest, want: Partial<Received>]>> = {
  'a name of any language, escaped': [
    given(`${at}/${encodeURIComponent(name)}`),
    { url: `${at}/%C5%81eb`, method: 'DELETE' },
  ],
  'the characters that URLs have': [
    given(`${at}/a-._~!$&'()*+,;=:@[1]`, {}, { query: [['a', 'Ł &?#']] }),
    { url: `${at}/a-._~!$&'()*+,;=:@[1]?a=%C5%81+%26%3F%23` },
  ],
  'names of headers in capitals, as one header': [
    given(at, { Authorization: 'Bearer mine', 'X-Kgen': '1', 'USER-AGENT': 'me' }),
    { headers: { authorization: 'Bearer mine', 'x-kgen': '1', 'user-agent': 'me' } },
  ],
  'a value with blanks around it': [
    given(at, { 'x-a': ' \tb ' }),
    { headers: expect.objectContaining({ 'x-a': 'b' }) },
  ],
  'a value in Latin-1': [given(at, { 'x-a': 'é' }), { headers: expect.objectContaining({ 'x-a': 'é' }) }],
  'an empty value': [given(at, { 'x-a': '' }), { headers: expect.objectContaining({ 'x-a': '' }) }],
  'another host': [given(at, { Host: 'api.test' }), { authority: 'api.test' }],
  'a user of any language': [
    given(at, {}, { impersonate: { user: 'Łdmin' } }),
    { headers: expect.objectContaining({ 'impersonate-user': Buffer.from('Łdmin').toString('latin1') }) },
  ],
};

describe('every request API sends', () => {
  it.each(Object.entries(sent))('%s', async (_, [request, want]) => {
    const clients = Object.values(await ways());
    for (const rest of clients) await rest.request(request);
    expect(received).toHaveLength(clients.length);
    for (const one of received) {
      expect(one).toMatchObject(want);
      expect({ ...one, authority: '' }).toEqual({ ...received[0], authority: '' });
    }
  });

  it('sends no undefined header, and its own default instead', async () => {
    const headers = {
      Authorization: undefined,
      'user-agent': undefined,
      'X-A': undefined,
    } as unknown as Record<string, string>;
    for (const rest of Object.values(await ways())) {
      await rest.request(given(at, headers));
      await rest.get('/a', { headers } satisfies BodyOptions);
    }
    for (const one of received) {
      expect(one.headers).toEqual({ authorization: 'Bearer own', 'user-agent': expect.any(String) });
    }
    expect(received).toHaveLength(6);
  });
});
