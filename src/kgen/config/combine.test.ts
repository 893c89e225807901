import { expect, test } from 'vitest';
import { conflicts, layer } from './combine.ts';
import type { OutputSettings } from './settings.ts';

const cluster: OutputSettings = {
  fromCluster: true,
  context: 'a',
  kubeconfig: 'k',
  paths: true,
  docs: false,
};

const layers: readonly { name: string; base: OutputSettings; over: OutputSettings; want: OutputSettings }[] =
  [
    { name: 'nothing over', base: cluster, over: {}, want: cluster },
    {
      name: 'another context of the same kind',
      base: cluster,
      over: { context: 'b' },
      want: { ...cluster, context: 'b' },
    },
    {
      name: 'the same kind again',
      base: cluster,
      over: { fromCluster: true },
      want: cluster,
    },
    {
      name: 'files in place of a cluster',
      base: cluster,
      over: { input: ['x'] },
      want: { input: ['x'], docs: false },
    },
    {
      name: 'saved documents in place of a cluster, with paths',
      base: cluster,
      over: { openapi: ['x'] },
      want: { openapi: ['x'], docs: false, paths: true },
    },
    {
      name: 'a cluster in place of files',
      base: { input: ['x'], out: 'o' },
      over: { fromCluster: true, context: 'c' },
      want: { fromCluster: true, context: 'c', out: 'o' },
    },
    {
      name: 'files in place of a cluster, whose codecs they have none of',
      base: { fromCluster: true, protobuf: 'all' },
      over: { input: ['x'] },
      want: { input: ['x'] },
    },
    {
      name: 'no files are no kind of input',
      base: cluster,
      over: { input: [] },
      want: { ...cluster, input: [] },
    },
    {
      name: 'files in place of files',
      base: { input: ['x'] },
      over: { input: ['y'] },
      want: { input: ['y'] },
    },
  ];

test.each(layers)('combines layers: $name', ({ base, over, want }) => {
  expect(layer(base, over)).toEqual(want);
});

const together: readonly { given: OutputSettings; want: readonly string[] }[] = [
  { given: { input: ['x'] }, want: [] },
  { given: { input: ['x'], fromCluster: false, openapi: [], paths: false }, want: [] },
  { given: cluster, want: [] },
  { given: { openapi: ['x'], paths: true }, want: [] },
  {
    given: {},
    want: [
      'no input: give files, folders, addresses or -, or --from-cluster, --openapi or --kubernetes (see kgen --help)',
    ],
  },
  { given: { input: [] }, want: [expect.stringMatching(/^no input/)] },
  {
    given: { input: ['x'], fromCluster: true },
    want: [
      'CRD files and --from-cluster cannot be combined, because an output has one kind of input: leave out all but one',
    ],
  },
  {
    given: { input: ['x'], fromCluster: true, openapi: ['y'] },
    want: [expect.stringMatching(/^CRD files and --from-cluster and --openapi cannot be combined/)],
  },
  {
    given: { openapi: ['x'], context: 'c', kubeconfig: 'k' },
    want: [
      '--context requires --from-cluster: add that, or leave out --context',
      '--kubeconfig requires --from-cluster: add that, or leave out --kubeconfig',
    ],
  },
  {
    given: { context: 'c' },
    want: ['--context requires --from-cluster: add that, or leave out --context'],
  },
  {
    given: { input: ['x'], paths: true },
    want: ['--paths requires --from-cluster, --openapi, or --kubernetes: add that, or leave out --paths'],
  },
  {
    given: { input: ['x'], protobuf: 'all' },
    want: [
      '--protobuf requires --from-cluster, --openapi, or --kubernetes: add that, or leave out --protobuf',
    ],
  },
  { given: { input: ['x'], protobuf: false }, want: [] },
  { given: { openapi: ['x'], protobuf: true }, want: [] },
  { given: { kubernetes: '1.33', protobuf: 'all', paths: true }, want: [] },
  {
    given: { kubernetes: '1.33', definitions: true, timeout: 5 },
    want: [
      '--timeout requires --from-cluster: add that, or leave out --timeout',
      '--definitions requires CRD files: add that, or leave out --definitions',
    ],
  },
  {
    given: { kubernetes: '1.33', fromCluster: true },
    want: [expect.stringMatching(/^--from-cluster and --kubernetes cannot be combined/)],
  },
  {
    given: { input: ['x'], emit: 'js', importExtension: '.ts' },
    want: [expect.stringMatching(/^--import-extension \.ts has no effect with --emit js/)],
  },
  {
    given: { input: ['x'], emit: 'js', importExtension: 'none' },
    want: [expect.stringMatching(/^--import-extension none has no effect/)],
  },
  { given: { input: ['x'], emit: 'js', importExtension: '.js' }, want: [] },
  { given: { input: ['x'], emit: 'js' }, want: [] },
  { given: { input: ['x'], emit: 'ts', importExtension: '.ts' }, want: [] },
  { given: { input: ['x'], importExtension: '.ts' }, want: [] },
];

test.each(together)('rejects conflicting settings of $given', ({ given, want }) => {
  expect(conflicts(given).map(({ what }) => what)).toEqual(want);
});
