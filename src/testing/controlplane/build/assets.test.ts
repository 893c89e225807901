import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ControlPlaneUnavailableError } from '../errors.ts';
import { defaultVersion, findAssets } from './assets.ts';
import { packageFolder } from './checkout.ts';

let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'kgen-test-'));
  program('supplied', 'etcd');
  program('supplied', 'kube-apiserver', 'echo Kubernetes v1.35.4');
  program('partial', 'etcd');
  for (const name of ['etcd', 'kube-apiserver', 'kube-controller-manager']) program(cache('1.34.4'), name);
  program(cache('1.35.4'), 'kube-controller-manager');
});
afterAll(() => rmSync(root, { recursive: true }));

function cache(version: string): string {
  return join('cache', 'kgen', 'envtest', version);
}

function program(folder: string, name: string, script = ''): void {
  mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(root, folder, name), 0o755);
}

/** An environment without Go. */
function environment(assets?: string): NodeJS.ProcessEnv {
  const supplied = assets === undefined ? {} : { KUBEBUILDER_ASSETS: join(root, assets) };
  return { PATH: join(root, 'none'), XDG_CACHE_HOME: join(root, 'cache'), ...supplied };
}

describe('findAssets', () => {
  it.each([
    { given: { env: 'supplied' }, want: 'supplied' },
    { given: { env: 'supplied', version: '1.34.4' }, want: cache('1.34.4') },
    { given: { version: '1.34.4' }, want: cache('1.34.4') },
    {
      given: { version: '1.34.4', controllerManager: true },
      want: cache('1.34.4'),
      manager: cache('1.34.4'),
    },
    { given: { env: 'supplied', controllerManager: true }, want: 'supplied', manager: cache('1.35.4') },
  ])('$given', ({ given: { env, ...query }, want, manager }) => {
    const { servers, controllerManager } = findAssets(query, environment(env));
    expect(servers.folder).toBe(join(root, want));
    expect(controllerManager?.folder).toBe(manager === undefined ? undefined : join(root, manager));
  });

  it.each([
    {
      given: { env: 'partial' },
      want: /KUBEBUILDER_ASSETS is set to \S+partial, which lacks kube-apiserver/,
    },
    {
      given: {},
      want: new RegExp(`etcd and kube-apiserver for Kubernetes ${defaultVersion} not found.*install Go`),
    },
    { given: { env: 'nowhere' }, want: /lacks etcd and kube-apiserver/ },
  ])('throws if nothing is found: $given', ({ given: { env, ...query }, want }) => {
    const find = () => findAssets(query, environment(env));
    expect(find).toThrow(ControlPlaneUnavailableError);
    expect(find).toThrow(want);
  });

  it('rejects a path as a version', () => {
    expect(() => findAssets({ version: '../../1.36.3' }, environment())).toThrow(TypeError);
  });

  it('builds missing programs if Go is installed', () => {
    program('none', 'go');
    expect(findAssets({}, environment()).servers).toEqual({
      folder: join(root, cache(defaultVersion)),
      missing: ['etcd', 'kube-apiserver'],
      version: defaultVersion,
    });
    rmSync(join(root, 'none'), { recursive: true });
  });
});

it('has the version that test/envtest pins as its default', () => {
  const module = join(packageFolder(), '..', '..', 'test', 'envtest', 'kubernetes', 'go.mod');
  expect(readFileSync(module, 'utf8')).toContain(`\nrequire k8s.io/kubernetes v${defaultVersion}\n`);
});
