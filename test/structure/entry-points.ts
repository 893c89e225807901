import { join } from 'node:path';
import { repository } from '../support/emitted.ts';
import { filesBelow } from '../support/files.ts';

/** Sources of the entry points of all packages, relative to the repository. */
export const entryPoints: readonly string[] = [
  'src/kgen/index.ts',
  ...filesBelow(join(repository, 'src/runtime/exports'), '.ts').map((path) => `src/runtime/exports/${path}`),
  'src/runtime/gen/v1.ts',
  'src/runtime/gen/v1-protobuf.ts',
  'src/controller/index.ts',
  'src/testing/index.ts',
];
