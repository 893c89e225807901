import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { aliases } from './scripts/aliases.mjs';
import { alone, ci, corpus, server, shared, together, types } from './test/projects.ts';
import { LongestFirst } from './test/support/longest-first.ts';
import { TimesReporter } from './test/support/times.ts';

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const never = ['**/node_modules/**', '**/dist/**'];

export default defineConfig({
  resolve: {
    alias: aliases.map(([find, path]) => ({ find, replacement: source(path) })),
  },
  test: {
    reporters: [
      'default',
      new TimesReporter(),
      ...(process.env['KGEN_TEST_REPORT'] === undefined ? [] : ['json']),
    ],
    outputFile: { json: process.env['KGEN_TEST_REPORT'] ?? '' },
    sequence: { sequencer: LongestFirst },
    // Transformed modules are kept in node_modules between runs, by their content.
    experimental: { fsModuleCache: true },
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
