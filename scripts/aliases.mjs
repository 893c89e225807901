// Modules of the packages of this repository, by the names under which they are imported: tests run on the
// sources, so that a change is seen without a build.

/** @type {readonly (readonly [name: RegExp, path: string])[]} */
export const aliases = [
  [/^@kgen\/runtime\/gen\/v1$/, 'src/runtime/exports/gen/v1.ts'],
  [/^@kgen\/runtime\/gen\/v1\/protobuf$/, 'src/runtime/exports/gen/v1-protobuf.ts'],
  [/^@kgen\/runtime$/, 'src/runtime/exports/index.ts'],
  [/^@kgen\/runtime\/(\w+)$/, 'src/runtime/exports/$1.ts'],
  [/^@kgen\/controller$/, 'src/controller/index.ts'],
  [/^@kgen\/controller\/webhooks$/, 'src/controller/webhooks/index.ts'],
  [/^@kgen\/certificates\/(.+)$/, 'src/certificates/$1.ts'],
  [/^@kgen\/schema\/(.+)$/, 'src/schema/$1.ts'],
  [/^@kgen\/testserver$/, 'src/testserver/index.ts'],
  [/^@kgen\/testserver\/internal\/(.+)$/, 'src/testserver/$1.ts'],
  [/^@kgen\/testing$/, 'src/testing/index.ts'],
  [/^@kgen\/testing\/fast-check$/, 'src/testing/fast-check.ts'],
  [/^@kgen\/kubernetes\/(catalog|paths|protobuf)$/, 'generated/kubernetes/$1.ts'],
  [/^@kgen\/kubernetes\/(.+)$/, 'generated/kubernetes/$1/index.ts'],
  [/^@kgen\/kubernetes$/, 'generated/kubernetes/index.ts'],
  [/^kgen$/, 'src/kgen/index.ts'],
  [/^kgen\/api$/, 'src/kgen/api.ts'],
  [/^kgen\/view$/, 'src/kgen/view/index.ts'],
  [/^kgen\/contract$/, 'src/kgen/contract/index.ts'],
];
