import { describe, expect, it } from 'vitest';
import { Encodings } from './encodings.ts';
import type { ProtobufRequest } from './requests.ts';

function request(more: Partial<ProtobufRequest> = {}): ProtobufRequest {
  return {
    method: 'POST',
    path: '/apis/apps/v1/namespaces/shop/deployments',
    query: [],
    headers: { accept: 'application/json' },
    operation: { verb: 'create', resource: 'deployments' },
    protobuf: { apiVersion: 'apps/v1', kind: 'Deployment', load: () => Promise.reject(new Error('unused')) },
    ...more,
  };
}

const inForm = request({
  headers: { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' },
});

describe('the encodings that a server speaks', () => {
  it('are JSON for bodies until it has sent such an object in protobuf', () => {
    const encodings = new Encodings();
    expect([encodings.acceptsProtobuf(request()), encodings.bodies(request())]).toEqual([true, 'json']);
    encodings.markOffered(request());
    expect(encodings.bodies(request())).toBe('offered');
    encodings.setBodies(request(), 'taken');
    encodings.markOffered(request());
    expect(encodings.bodies(request())).toBe('taken');
    encodings.setBodies(request(), 'json');
    expect([encodings.acceptsProtobuf(request()), encodings.bodies(request())]).toEqual([true, 'json']);
  });

  it('are tried for writes in a form only where bodies are known', () => {
    const encodings = new Encodings();
    expect(encodings.acceptsProtobuf(inForm)).toBe(false);
    expect(encodings.acceptsProtobuf({ ...inForm, method: 'GET' })).toBe(true);
    encodings.markOffered(inForm);
    expect(encodings.acceptsProtobuf(inForm)).toBe(true);
  });

  it('are JSON alone for a resource whose protobuf was refused', () => {
    const encodings = new Encodings();
    encodings.markOffered(request());
    encodings.markJson(request());
    expect([encodings.acceptsProtobuf(request()), encodings.bodies(request())]).toEqual([false, 'json']);
  });

  it('are JSON alone for a kind that has more fields, which is news once', () => {
    const encodings = new Encodings();
    encodings.markOffered(request());
    expect(encodings.markNewer(request(), '9')).toBe(true);
    expect(encodings.markNewer(request(), '10 in spec')).toBe(false);
    expect([encodings.acceptsProtobuf(request()), encodings.bodies(request())]).toEqual([false, 'json']);
    expect(encodings.newer).toEqual([{ apiVersion: 'apps/v1', kind: 'Deployment', field: '9' }]);
  });

  const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', load: request().protobuf.load };
  const path = '/apis/apps/v1/namespaces/shop/deployments/web';
  it.each<[name: string, other: ProtobufRequest, isShared: boolean]>([
    ['a name of the resource', request({ path }), true],
    ['another namespace', request({ path: '/apis/apps/v1/namespaces/other/deployments' }), true],
    [
      'a subresource with the same kind',
      request({ path: `${path}/status`, operation: { verb: 'update', resource: 'deployments/status' } }),
      true,
    ],
    ['another kind', request({ path: `${path}/scale`, protobuf: scale }), false],
    ['another plural', request({ operation: { verb: 'create', resource: 'daemonsets' } }), false],
    [
      'another plural with the same first letter',
      request({ operation: { verb: 'create', resource: 'daemons' } }),
      false,
    ],
    ['another version', request({ path: '/apis/apps/v2/namespaces/shop/deployments' }), false],
    ['another group', request({ path: '/apis/batch/v1/namespaces/shop/deployments' }), false],
    ['the core group', request({ path: '/api/v1/namespaces/shop/deployments' }), false],
  ])('are learned of by resource: %s', (_, other, isShared) => {
    const encodings = new Encodings();
    encodings.setBodies(request(), 'taken');
    expect(encodings.bodies(other)).toBe(isShared ? 'taken' : 'json');
  });
});
