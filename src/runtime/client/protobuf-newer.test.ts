import { expect, it, vi } from 'vitest';
import type { KubernetesList, KubernetesObject } from '../api/meta.ts';
import type { APIRequest } from '../api/transport.ts';
import type { Codecs } from '../protobuf/types.ts';
import type { RESTClientOptions } from '../rest/client-options.ts';
import { decode } from '../rest/protobuf/bodies.ts';
import { heldResponse } from '../rest/response/buffered-response.ts';
import { ObjectClient } from './object-client.ts';
import {
  configMapBytes,
  configMapJson,
  configMaps,
  inJson,
  inProtobuf,
  listInProtobuf,
  responding,
  type ScriptedResponse,
  type Stored,
  type TestClient,
} from './protobuf.fixture.ts';

interface ConfigMap extends KubernetesObject {
  data?: Record<string, string>;
  brandNew?: string;
}

class ConfigMaps extends ObjectClient<ConfigMap, KubernetesList<ConfigMap>> {}

const { resource } = configMaps();

/** Returns the object of a body, without fields that protobuf did not contain. */
async function sent(request: APIRequest): Promise<Stored> {
  const { body = '', operation, protobuf } = request;
  if (typeof body === 'string') return JSON.parse(body) as Stored;
  if (protobuf === undefined) throw new Error('bytes were sent where protobuf cannot be');
  const codecs = (await protobuf.load()).codecs as Codecs; // seam: modules contain codecs
  const response = heldResponse({ status: 200, headers: {} }, body);
  // Decoded data: sent by the client of this test.
  return (await decode(response, { ...request, protobuf, operation }, codecs, true)) as Stored;
}

/** Server of one object, with a new field in its newer version. */
class Server {
  stored: Stored = { data: { a: 'b' } };
  readonly connection: TestClient;
  readonly #bodies: Promise<void>[] = [];

  constructor(options?: RESTClientOptions) {
    this.connection = responding((request) => this.#response(request), options);
  }

  get client(): ConfigMaps {
    return new ConfigMaps(this.connection.rest, { resource, namespace: 'shop' });
  }

  /** Returns the stored object after all pending requests. */
  async settled(): Promise<Stored> {
    await Promise.all(this.#bodies);
    return this.stored;
  }

  #response(request: APIRequest): ScriptedResponse {
    if (request.method === 'PUT') this.#bodies.push(this.#store(request));
    const isList = request.operation.verb === 'list';
    if (!request.headers['accept']?.startsWith('application/vnd.kubernetes.protobuf')) {
      const object = configMapJson(this.stored);
      return inJson(isList ? { kind: 'ConfigMapList', metadata: {}, items: [object] } : object);
    }
    return isList ? listInProtobuf(configMapBytes(this.stored)) : inProtobuf(configMapBytes(this.stored));
  }

  async #store(request: APIRequest): Promise<void> {
    const { data, brandNew } = await sent(request);
    this.stored = { ...(data !== undefined && { data }), ...(brandNew !== undefined && { brandNew }) };
  }
}

const fromGet = (client: ConfigMaps) => client.get('web');
const fromList = async (client: ConfigMaps) => {
  const [first] = (await client.list()).items;
  if (first === undefined) throw new Error('the list is empty');
  return first;
};
const fromPatch = (client: ConfigMaps) => client.patch('web', {});

it.each([
  ['get', fromGet],
  ['list', fromList],
  ['patch', fromPatch],
] as const)(
  'a server with an added field; %s, spread, structuredClone, update: nothing is gone',
  async (_, read) => {
    const server = new Server();
    const { client } = server;
    // Bodies are protobuf from here on.
    await client.update(await client.get('web'));
    expect(server.connection.requests[1]?.body).toBeInstanceOf(Uint8Array);

    server.stored = { ...server.stored, brandNew: 'x' };
    const object = await read(client);
    await client.update(
      structuredClone({ ...object, data: { ...object.data, c: 'd' } }) as typeof object & {
        metadata: { name: string };
      },
    );
    expect(await server.settled()).toEqual({ data: { a: 'b', c: 'd' }, brandNew: 'x' });
  },
);

it.each([
  [
    'throws',
    () => {
      throw new Error('full disk');
    },
  ],
  [
    'rejects',
    async () => {
      throw new Error('full disk');
    },
  ],
] as const)(
  'a handler of warnings that %s does not turn the response into a failure',
  async (_, onWarning) => {
    const emitted = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const server = new Server({ onWarning });
    server.stored = { data: { a: 'b' }, brandNew: 'x' };
    await expect(server.client.get('web')).resolves.toMatchObject({ brandNew: 'x' });
    await expect
      .poll(() => emitted.mock.calls.map(([text]) => text))
      .toEqual(['a handler of warnings failed: full disk']);
    emitted.mockRestore();
  },
);
