import { describe, expect, it } from 'vitest';
import { isObjectResponse, requestTarget } from './request-target.ts';

const apps = { group: 'apps', version: 'v1', resource: 'deployments' };
const core = { group: '', version: 'v1' };

describe('target of a path', () => {
  it.each<readonly [string, object | undefined]>([
    ['/apis/apps/v1/deployments', apps],
    ['/apis/apps/v1/deployments/', apps],
    ['/apis/apps/v1/namespaces/shop/deployments', { ...apps, namespace: 'shop' }],
    ['/apis/apps/v1/namespaces/shop/deployments/web', { ...apps, namespace: 'shop', name: 'web' }],
    [
      '/apis/apps/v1/namespaces/shop/deployments/web/status',
      { ...apps, namespace: 'shop', name: 'web', subresource: 'status' },
    ],
    ['/api/v1/namespaces', { ...core, resource: 'namespaces' }],
    ['/api/v1/namespaces/shop', { ...core, resource: 'namespaces', name: 'shop' }],
    [
      '/api/v1/namespaces/shop/status',
      { ...core, resource: 'namespaces', name: 'shop', subresource: 'status' },
    ],
    [
      '/api/v1/namespaces/shop/finalize',
      { ...core, resource: 'namespaces', name: 'shop', subresource: 'finalize' },
    ],
    ['/api/v1/namespaces/shop/pods', { ...core, resource: 'pods', namespace: 'shop' }],
    [
      '/api/v1/namespaces/status/pods/status',
      { ...core, resource: 'pods', namespace: 'status', name: 'status' },
    ],
    ['/api/v1/nodes/n1', { ...core, resource: 'nodes', name: 'n1' }],
    [
      '/api/v1/namespaces/shop/services/web/proxy/a/b',
      { ...core, resource: 'services', namespace: 'shop', name: 'web', subresource: 'proxy/a/b' },
    ],
    [
      '/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode',
      { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles', name: 'system:node' },
    ],
    ['/apis/apps/v1/deployments/%E0%A4%A', { ...apps, name: '%E0%A4%A' }],
    ['/api/v1', undefined],
    ['/api', undefined],
    ['/apis/apps', undefined],
    ['/apis', undefined],
    ['/version', undefined],
    ['/', undefined],
    ['', undefined],
  ])('%s', (path, expected) => {
    expect(requestTarget(path)).toEqual(expected);
  });

  it.each([
    [undefined, true],
    ['status', true],
    ['resize', true],
    ['scale', false],
    ['eviction', false],
    ['token', false],
  ])('with the subresource %s has the object as its response: %s', (subresource, expected) => {
    expect(isObjectResponse({ ...apps, subresource })).toBe(expected);
  });
});
