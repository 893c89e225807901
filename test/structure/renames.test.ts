/** Names of the public API: their renames, units of time, and uniqueness. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Rename {
  readonly package: string;
  readonly from: string;
  readonly to: string;
  readonly since: string;
}

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Returns the report of the package of an entry point, such as `@kgen/runtime/manifests`. */
const reportOf = (entry: string): string =>
  read(`api/${entry.split('/').slice(0, 2).join('-').replace('@', '')}.api.md`);

const renames: readonly Rename[] = JSON.parse(read('docs/renames.json'));

/** Returns whether a report declares a name, or a member of one. */
function declares(report: string, name: string): boolean {
  const [type = '', member] = name.split('.');
  const found = new RegExp(
    `export (?:interface|type|class|const|function) ${type}\\b[\\s\\S]*?\\n\`*\\n`,
  ).exec(report)?.[0];
  return found !== undefined && (member === undefined || new RegExp(`\\b${member}\\b\\??:`).test(found));
}

describe('renames', () => {
  it.each(renames)('$from of $package is $to', ({ package: entry, from, to, since }) => {
    const report = reportOf(entry);
    expect(declares(report, to)).toBe(true);
    expect(declares(report, from)).toBe(false);
    expect(since).toMatch(/^\d+\.\d+\.\d+$/);
  });
});

/** Members that mirror a field or a parameter of Kubernetes. */
const ofKubernetes = new Set([
  'deletionGracePeriodSeconds',
  'expirationSeconds',
  'gracePeriodSeconds',
  'leaseDurationSeconds',
  'periodSeconds',
  'retryAfterSeconds',
  'sinceSeconds',
  'timeoutSeconds',
]);

it('times of options are in milliseconds, unless they mirror a field of Kubernetes', () => {
  const reports = ['runtime', 'controller', 'testing']
    .map((name) => read(`api/kgen-${name}.api.md`))
    .join('\n');
  const members = [...reports.matchAll(/\b(\w+Seconds)\??:/g)].map(([, name = '']) => name);
  expect([...new Set(members)].filter((name) => !ofKubernetes.has(name))).toEqual([]);
});
