import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { discoverySuite } from './suite.ts';

const version = '1.33.13';
/** Output folder of `test/envtest/build.mjs`. Only CI builds a second server, which takes minutes. */
const built = join(
  process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'),
  'kgen/envtest',
  version,
  'kube-apiserver',
);

if (existsSync(built) || process.env['KGEN_NOTHING_SKIPPED']) {
  describe('discovery of a real server of an older version', () => discoverySuite(version));
} else {
  describe.skip(`discovery of a real server of an older version: build.mjs has not built ${version}`, () => {
    test('requires one', () => undefined);
  });
}
