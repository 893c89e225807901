import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { defaultUserAgent, version } from './user-agent.ts';

it('is like those of other clients', () => {
  expect(defaultUserAgent()).toMatch(/^[!-~]+\/v\d+\.\d+\.\d+\S* \(\w+\/\w+\) kgen$/);
});

it('has the version of the package', async () => {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  expect(JSON.parse(text)).toMatchObject({ version });
});
