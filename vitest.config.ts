import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { alone, ci, corpus, server, shared, together, types } from './test/projects.ts';
import { LongestFirst } from './test/support/longest-first.ts';
import { TimesReporter } from './test/support/times.ts';

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const never = ['**/node_modules/**', '**/dist/**'];

export default defineConfig({
  resolve: {
    // Tests run on the sources, so that a change is seen without a build.
    alias: [
      { find: /^@kgen\/runtime\/gen\/v1$/, replacement: source('src/runtime/exports/gen/v1.ts') },
      {
        find: /^@kgen\/runtime\/gen\/v1\/protobuf$/,
        replacement: source('src/runtime/exports/gen/v1-protobuf.ts'),
      },
      { find: /^@kgen\/runtime$/, replacement: source('src/runtime/exports/index.ts') },
      { find: /^@kgen\/runtime\/(\w+)$/, replacement: `${source('src/runtime/exports/')}$1.ts` },
      { find: /^@kgen\/controller$/, replacement: source('src/controller/index.ts') },
      { find: /^@kgen\/controller\/webhooks$/, replacement: source('src/controller/webhooks/index.ts') },
      { find: /^@kgen\/certificates\/(.+)$/, replacement: `${source('src/certificates/')}$1.ts` },
      { find: /^@kgen\/schema\/(.+)$/, replacement: `${source('src/schema/')}$1.ts` },
      { find: /^@kgen\/testserver$/, replacement: source('src/testserver/index.ts') },
      { find: /^@kgen\/testserver\/internal\/(.+)$/, replacement: `${source('src/testserver/')}$1.ts` },
      { find: /^@kgen\/testing$/, replacement: source('src/testing/index.ts') },
      { find: /^@kgen\/testing\/fast-check$/, replacement: source('src/testing/fast-check.ts') },
      {
        find: /^@kgen\/kubernetes\/(catalog|paths|protobuf)$/,
        replacement: `${source('generated/kubernetes/')}$1.ts`,
      },
      { find: /^@kgen\/kubernetes\/(.+)$/, replacement: `${source('generated/kubernetes/')}$1/index.ts` },
      { find: /^@kgen\/kubernetes$/, replacement: source('generated/kubernetes/index.ts') },
      { find: /^kgen$/, replacement: source('src/kgen/index.ts') },
      { find: /^kgen\/api$/, replacement: source('src/kgen/api.ts') },
      { find: /^kgen\/view$/, replacement: source('src/kgen/view/index.ts') },
      { find: /^kgen\/contract$/, replacement: source('src/kgen/contract/index.ts') },
    ],
  },
  test: {
    reporters: [
      'default',
      new TimesReporter(),
      ...(process.env['KGEN_TEST_REPORT'] === undefined ? [] : ['json']),
    ],
    outputFile: { json: process.env['KGEN_TEST_REPORT'] ?? '' },
    sequence: { sequencer: LongestFirst },
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // Tests wait for conditions; how long that takes depends on the machine.
    expect: { poll: { timeout: 20_000 } },
    // `test/projects.ts` assigns each file to a project.
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', ...together],
          exclude: [...never, ...alone, ...ci, ...types, ...corpus, ...server],
          // The files of a worker share one module graph: loading it again for each takes longer than the tests.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'memory',
          include: ['test/**/*.test.ts'],
          exclude: [...never, ...alone, ...ci, ...together, ...types, ...corpus, ...server, ...shared],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'alone', include: [...alone], exclude: never } },
      { extends: true, test: { name: 'ci', include: [...ci], exclude: never } },
      { extends: true, test: { name: 'types', include: [...types], exclude: never, isolate: false } },
      { extends: true, test: { name: 'corpus', include: [...corpus], exclude: never } },
      { extends: true, test: { name: 'server', include: [...server], exclude: never } },
      {
        extends: true,
        test: {
          name: 'shared',
          include: [...shared],
          exclude: never,
          globalSetup: source('test/support/shared-plane.ts'),
        },
      },
    ],
  },
});
