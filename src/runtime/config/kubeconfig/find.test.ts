import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { base, kubeconfig, pem, problem } from '../kubeconfig-text.fixture.ts';
import { loadConfig } from '../load.ts';

describe('loadConfig', () => {
  let dir = '';
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'kgen-config-'));
    await mkdir(join(dir, 'home', '.kube'), { recursive: true });
    await mkdir(join(dir, 'pki'));
    await writeFile(join(dir, 'pki', 'ca.crt'), pem('CERTIFICATE'));
    await writeFile(join(dir, 'pki', 'token'), 'from-file\n');
    await writeFile(join(dir, 'home', '.kube', 'config'), kubeconfig({ context: 'namespace: home' }));
    await writeFile(
      join(dir, 'pki', 'files'),
      kubeconfig({ cluster: 'certificate-authority: ca.crt', user: 'tokenFile: ./token' }).replace(
        'token: t1',
        '',
      ),
    );
    await writeFile(join(dir, 'first'), 'clusters: [{ name: c1, cluster: { server: https://first } }]');
    await writeFile(join(dir, 'second'), kubeconfig());
    await writeFile(join(dir, 'empty'), '# nothing\n');
    await writeFile(join(dir, 'broken'), 'clusters: [\n');
    await writeFile(join(dir, 'lost'), kubeconfig({ cluster: 'certificate-authority: nowhere.crt' }));
  });
  afterAll(() => rm(dir, { recursive: true }));

  const at = (...path: string[]): string => join(dir, ...path);
  const pod = { KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443' };

  it('reads ~/.kube/config', async () => {
    expect(await loadConfig({ env: { HOME: at('home') } })).toEqual({ ...base, namespace: 'home' });
  });

  it('distinguishes missing from empty files', async () => {
    expect(await problem(loadConfig({ env: { KUBECONFIG: at('none') } }))).toContain('none does not exist');
    await writeFile(join(dir, 'bare'), 'current-context: dev\n');
    for (const name of ['empty', 'bare']) {
      const message = await problem(loadConfig({ env: { KUBECONFIG: at(name) } }));
      expect(message).toContain(`${name} has no clusters, contexts or users and this is not a pod`);
    }
  });

  it('reads the named file, regardless of the environment', async () => {
    const config = await loadConfig({ kubeconfig: at('second'), env: { KUBECONFIG: at('broken') } });
    expect(config).toEqual(base);
  });

  it('merges the files of KUBECONFIG, with precedence of the first', async () => {
    const files = [at('missing'), at('first'), at('empty'), at('second'), at('second')].join(delimiter);
    expect(await loadConfig({ env: { KUBECONFIG: files } })).toEqual({ ...base, server: 'https://first' });
  });

  it('resolves paths relative to the kubeconfig that names them', async () => {
    expect(await loadConfig({ kubeconfig: at('pki', 'files') })).toEqual({
      ...base,
      tls: { ca: pem('CERTIFICATE'), caFile: at('pki', 'ca.crt') },
      auth: { token: 'from-file', tokenFile: at('pki', 'token') },
    });
  });

  it('throws errors that name the problem and the file', async () => {
    const message = (options: Parameters<typeof loadConfig>[0]): Promise<string> =>
      problem(loadConfig(options));
    expect(await message({ kubeconfig: at('nowhere') })).toBe(`kubeconfig ${at('nowhere')} not found`);
    expect(await message({ kubeconfig: at('broken') })).toMatch(`${at('broken')}:`);
    expect(await message({ kubeconfig: '' })).toMatch(/^the path of the kubeconfig is empty; omit it/);
    expect(await message({ kubeconfig: dir })).toBe(`cannot read the kubeconfig ${dir} (EISDIR)`);
    expect(await message({ kubeconfig: at('lost') })).toBe(
      `${at('lost')}: cluster "c1": certificate-authority: cannot read ${at('nowhere.crt')} (ENOENT)`,
    );
    expect(await message({ env: { HOME: at('nobody') } })).toMatch(/^no configuration: .*set KUBECONFIG/);
    expect(await message({ env: { ...pod, HOME: at('nobody') }, context: 'dev' })).toMatch(
      /no context "dev"; none exist/,
    );
  });
});
