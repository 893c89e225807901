import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    // Tests run on the sources, so that a change is seen without a build.
    alias: [
      { find: /^@kgen\/runtime\/gen\/v1$/, replacement: source('src/runtime/gen/v1.ts') },
      {
        find: /^@kgen\/runtime\/gen\/v1\/protobuf$/,
        replacement: source('src/runtime/gen/v1-protobuf.ts'),
      },
      { find: /^@kgen\/runtime$/, replacement: source('src/runtime/index.ts') },
      { find: /^@kgen\/testing$/, replacement: source('src/testing/index.ts') },
      {
        find: /^@kgen\/kubernetes\/(catalog|paths|protobuf)$/,
        replacement: `${source('generated/kubernetes/')}$1.ts`,
      },
      { find: /^@kgen\/kubernetes\/(.+)$/, replacement: `${source('generated/kubernetes/')}$1/index.ts` },
      { find: /^@kgen\/kubernetes$/, replacement: source('generated/kubernetes/index.ts') },
      { find: /^kgen$/, replacement: source('src/kgen/index.ts') },
    ],
  },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // What is waited for comes; when, the machine decides.
    expect: { poll: { timeout: 20_000 } },
  },
});
