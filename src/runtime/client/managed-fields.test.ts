import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  enveloped,
  field,
  frameBytes,
  message,
  metadataBytes,
} from '../../../test/support/runtime/protobuf-bytes.ts';
import type { KubernetesList, KubernetesObject, ManagedFieldsEntry } from '../api/meta.ts';
import { CollectionClient } from './collection-client.ts';
import {
  configMaps,
  inJson,
  inProtobuf,
  listInProtobuf,
  type ScriptedResponse,
  scripted,
} from './protobuf.fixture.ts';

const identity = { name: 'web', namespace: 'shop', uid: 'u1', resourceVersion: '7' };
const metadata = { ...identity, managedFields: [{ manager: 'kubectl' }] };
/** Longer than a body that is decoded at once. */
const data = { a: 'x'.repeat(300_000) };
const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
const bytes = message(
  field(1, metadataBytes({ ...identity, manager: 'kubectl' })),
  field(2, message(field(1, 'a'), field(2, data.a))),
);

const lists: Readonly<Record<string, ScriptedResponse>> = {
  JSON: inJson({ apiVersion: 'v1', kind: 'ConfigMapList', metadata: {}, items: [object] }),
  protobuf: listInProtobuf(bytes),
};
const watches: Readonly<Record<string, ScriptedResponse>> = {
  JSON: { ...inJson({}), body: Buffer.from(`${JSON.stringify({ type: 'MODIFIED', object })}\n`) },
  protobuf: {
    status: 200,
    type: 'application/vnd.kubernetes.protobuf;stream=watch',
    body: frameBytes('MODIFIED', enveloped('v1', 'ConfigMap', bytes)),
  },
};

function client(response: ScriptedResponse): CollectionClient<KubernetesObject, KubernetesList<unknown>> {
  const { resource } = configMaps();
  // The first response shows that the server supports protobuf.
  const { rest } = scripted([response, inProtobuf(bytes)]);
  return new CollectionClient(rest, { resource, namespace: 'shop' });
}

/** Returns the object of the first event. */
async function watched(response: ScriptedResponse): Promise<KubernetesObject> {
  for await (const event of client(response).watch({ resourceVersion: '5' })) {
    expectTypeOf(event.object.metadata.managedFields).toEqualTypeOf<ManagedFieldsEntry[] | undefined>();
    return event.object;
  }
  throw new Error('the watch ended');
}

async function listed(response: ScriptedResponse): Promise<unknown> {
  const [item] = (await client(response).list()).items;
  return item;
}

describe('managedFields', () => {
  it.each(Object.entries(watches))(
    'of a watch in %s are an accessor of the whole list',
    async (_, response) => {
      check(await watched(response));
    },
  );

  it.each(Object.entries(lists))(
    'of a long list in %s are an accessor of the whole list',
    async (_, response) => {
      check(await listed(response));
    },
  );
});

function check(received: unknown): void {
  const { metadata: holder } = Object(received);
  expect(Object.getOwnPropertyDescriptor(holder, 'managedFields')?.get).toBeDefined();
  expect(Object.keys(holder)).toEqual(Object.keys(metadata));
  expect(received).toStrictEqual(object);
}
