/** The resource of the schedules, as a user's program declares it. */
import { type KubernetesObject, TransportError } from '@kgen/runtime';
import { defineResource, type NamespacedResource } from '@kgen/runtime/client';
import type { Transport } from '@kgen/runtime/rest';
import { codecs } from './protobuf.ts';
import { type ApiServer, ConnectionRefused } from './server/server.ts';

export interface Widget extends KubernetesObject {
  spec: { size: number; note: string };
}

export const widgets: NamespacedResource<Widget, unknown, unknown> = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  listKind: 'WidgetList',
  plural: 'widgets',
  singular: 'widget',
  scope: 'Namespaced',
  verbs: ['list', 'watch'],
  protobuf: async () => ({ codecs }),
});

/** Creates a transport to the server, with the errors of real transports. */
export function transportTo(server: ApiServer): Transport {
  return async (request) => {
    try {
      const response = await server.handle(request);
      return { ...response, body: readThrough(response.body) };
    } catch (cause) {
      if (!(cause instanceof ConnectionRefused)) throw cause;
      throw new TransportError(cause.message, request.operation, { cause, code: 'ECONNREFUSED' });
    }
  };
}

async function* readThrough(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    throw new TransportError(`the connection broke: ${String(cause)}`, undefined, { cause });
  }
}
