/** A server that returns the smallest response that clients accept and records its requests. */
import type { APIRequest, APIResponse, Transport } from '@kgen/runtime/rest';
import { namespace, objectName } from './arguments.ts';

const object = {
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name: objectName, namespace, uid: 'the-uid', resourceVersion: '5' },
};
const list = { apiVersion: 'v1', kind: 'ThingList', metadata: { resourceVersion: '5' }, items: [] };
const done = { apiVersion: 'v1', kind: 'Status', status: 'Success' };

/** Records requests until `take` returns them. */
export class Recorder {
  #requests: APIRequest[] = [];

  readonly transport: Transport = async (request) => {
    this.#requests.push(request);
    const text = responseTo(request);
    const type = request.operation.resource.endsWith('/log') ? 'text/plain' : 'application/json';
    return respond(text, type);
  };

  /** Returns the requests since the last call. */
  take(): readonly APIRequest[] {
    const taken = this.#requests;
    this.#requests = [];
    return taken;
  }
}

function responseTo({ operation: { verb, resource } }: APIRequest): string {
  if (resource.endsWith('/log')) return 'a line\n';
  if (verb === 'list') return JSON.stringify(list);
  if (verb === 'watch') return `${JSON.stringify({ type: 'ADDED', object })}\n`;
  return JSON.stringify(verb.startsWith('delete') ? done : object);
}

function respond(text: string, type: string): APIResponse {
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text);
  }
  return { status: 200, headers: { 'content-type': type }, body: body(), cancel: () => undefined };
}
