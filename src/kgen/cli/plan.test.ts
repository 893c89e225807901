import { expect, test } from 'vitest';
import type { ParsedConfig } from '../config/config.ts';
import type { OutputSettings } from '../config/settings.ts';
import { planRuns } from './plan.ts';

const two: ParsedConfig = {
  settings: { input: ['crds'], docs: false },
  outputs: [{ out: 'a' }, { out: './b', fromCluster: true, docs: true }],
};
const [a, b]: readonly OutputSettings[] = [
  { input: ['crds'], docs: false, out: 'a' },
  { fromCluster: true, docs: true, out: './b' },
];

const good: readonly {
  name: string;
  config: ParsedConfig;
  given: OutputSettings;
  want: readonly unknown[];
}[] = [
  { name: 'no file', config: { settings: {} }, given: { input: ['x'] }, want: [{ input: ['x'] }] },
  {
    name: 'the command line wins',
    config: { settings: { input: ['x'], out: 'o' } },
    given: { out: 'p' },
    want: [{ input: ['x'], out: 'p' }],
  },
  { name: 'each output in order, with defaults', config: two, given: {}, want: [a, b] },
  {
    name: 'options for each output',
    config: two,
    given: { listers: false, docs: true },
    want: [
      { ...a, listers: false, docs: true },
      { ...b, listers: false },
    ],
  },
  { name: 'the output of a folder', config: two, given: { out: 'b/' }, want: [b] },
  {
    name: 'a context for the output chosen',
    config: two,
    given: { out: 'b', context: 'c' },
    want: [{ ...b, context: 'c' }],
  },
  {
    name: 'input for the output chosen',
    config: two,
    given: { out: '/srv/b', openapi: ['x'] },
    want: [{ openapi: ['x'], docs: true, out: './b' }],
  },
];

test.each(good)('$name', ({ config, given, want }) => {
  expect(planRuns(config, given, '/srv')).toEqual({ value: want, problems: [] });
});

const bad: readonly { config: ParsedConfig; given: OutputSettings; want: readonly string[] }[] = [
  {
    config: { settings: {}, outputs: [{ out: 'a' }, { out: 'b' }, { out: './a/' }] },
    given: {},
    want: ['two outputs have the folder "./a/": give each output a folder of its own'],
  },
  {
    config: two,
    given: { out: 'c' },
    want: ['--out "c" is not the folder of an output in the configuration file: use one of "a", "./b"'],
  },
  {
    config: two,
    given: { input: ['x'] },
    want: [
      'the configuration file has several outputs, which would all be generated from this input: choose one of them with --out',
    ],
  },
  {
    config: two,
    given: { context: 'c' },
    want: ['output "a": --context requires --from-cluster: add that, or leave out --context'],
  },
  {
    config: { settings: { docs: false }, outputs: [{ out: 'a', input: ['x'] }, { out: 'b' }] },
    given: {},
    want: [expect.stringMatching(/^output "b": no input/)],
  },
  {
    config: { settings: { input: ['-'] }, outputs: [{ out: 'a' }, { out: 'b' }] },
    given: {},
    want: ['several outputs read standard input, which can be read once: give all but one of them files'],
  },
];

test.each(bad)('rejects $given with $config', ({ config, given, want }) => {
  expect(planRuns(config, given, '/srv').problems.map(({ what }) => what)).toEqual(want);
});
