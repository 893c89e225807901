/** Names of the public API: their renames, units of time, and uniqueness. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { installedRenames } from '../../src/kgen/codemod/renames.ts';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Returns the section of an entry point, such as `@kgen/runtime/manifests`, in the report of its package. */
function reportOf(entry: string): string {
  const depth = entry.startsWith('@') ? 2 : 1;
  const file = entry.split('/').slice(0, depth).join('-').replace('@', '');
  return (
    read(`api/${file}.api.md`)
      .split('\n## ')
      .find((section) => section.startsWith(`\`${entry}\``)) ?? ''
  );
}

/** Returns whether a section declares a name, or a member of one. */
function declares(report: string, name: string): boolean {
  const [type = '', member] = name.split('.');
  const found = new RegExp(
    `export (?:abstract )?(?:interface|type|class|const|function|namespace) ${type}\\b[\\s\\S]*?\\n\`*\\n`,
  ).exec(report)?.[0];
  return found !== undefined && (member === undefined || new RegExp(`\\b${member}\\b\\??:`).test(found));
}

describe('renames, which kgen codemod applies', () => {
  const rows = installedRenames();
  it.each(rows)(
    '$from of $package is $to of $toPackage',
    ({ package: entry, from, to, toPackage, since }) => {
      const isMoved = toPackage !== undefined;
      const isRenamedAgain = rows.some((row) => row.package === (toPackage ?? entry) && row.from === to);
      expect(declares(reportOf(toPackage ?? entry), to) || isRenamedAgain).toBe(true);
      expect(declares(reportOf(entry), from)).toBe(false);
      expect(isMoved || from !== to).toBe(true);
      expect(since).toMatch(/^\d+\.\d+\.\d+$/);
    },
  );

  it('are each in one row', () => {
    const keys = rows.map(({ package: entry, from }) => `${entry} ${from}`);
    expect(keys).toEqual([...new Set(keys)].sort());
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
  const reports = ['runtime', 'controller', 'testserver', 'testing']
    .map((name) => read(`api/kgen-${name}.api.md`))
    .join('\n');
  const members = [...reports.matchAll(/\b(\w+Seconds)\??:/g)].map(([, name = '']) => name);
  expect([...new Set(members)].filter((name) => !ofKubernetes.has(name))).toEqual([]);
});
