import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { defaultUserAgent, type Program, userAgentOf, version } from './user-agent.ts';

describe('the User-Agent', () => {
  const cases: readonly [given: Program, want: string][] = [
    [{ script: '/srv/app/main.js', platform: 'linux', arch: 'x64' }, 'main.js/v* (linux/amd64) kgen/*'],
    [{ script: '/srv/app/main.js', platform: 'darwin', arch: 'arm64' }, 'main.js/v* (darwin/arm64) kgen/*'],
    [{ script: 'main.mjs', platform: 'win32', arch: 'ia32' }, 'main.mjs/v* (windows/386) kgen/*'],
    [{ script: undefined, platform: 'linux', arch: 's390x' }, 'node/v* (linux/s390x) kgen/*'],
    [{ script: '', platform: 'linux', arch: 'ppc64' }, 'node/v* (linux/ppc64le) kgen/*'],
    [{ script: '/a/müll (1)\n.js', platform: 'linux', arch: 'x64' }, 'm_ll__1__.js/v* (linux/amd64) kgen/*'],
  ];
  it.each(cases)('%j', (given, want) => {
    expect(userAgentOf(given)).toBe(want.replaceAll('*', version));
  });

  it('of this process is a valid header value', () => {
    expect(defaultUserAgent()).toMatch(/^[!-~]+\/v\d+\.\d+\.\d+\S* \(\w+\/\w+\) kgen\/\d+\.\d+\.\d+\S*$/);
  });

  it('contains the version of the package', async () => {
    const text = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
    expect(JSON.parse(text)).toMatchObject({ version });
  });
});
