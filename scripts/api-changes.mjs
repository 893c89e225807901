// Prints the changes of the API reports since the last release, with the version that they need. The last
// release is the newest tag `v*` of the history.
// --check fails if the version of the packages is lower. --since REF compares with another commit.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { changesOf, isAtLeast, leastVersion } from './api-changes/changes.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { check: { type: 'boolean' }, since: { type: 'string' } } });
const since = values.since ?? lastRelease();
if (since === undefined) console.log('No release precedes this version: any change of the API is possible.');
else report(since);

function lastRelease() {
  const [tag] = git('tag', '--list', 'v*', '--merged', 'HEAD', '--sort=-version:refname').split('\n');
  return tag || undefined;
}

function report(since) {
  const changes = readdirSync(join(root, 'api')).flatMap((file) =>
    changesOf(earlier(since, `api/${file}`), readFileSync(join(root, 'api', file), 'utf8')),
  );
  for (const { entry, name, kind, level, before, after } of changes) {
    console.log(`${level.padEnd(5)} ${kind.padEnd(7)} ${entry} ${name}`);
    if (before !== undefined) console.log(`      - ${before}`);
    if (after !== undefined && kind !== 'added') console.log(`      + ${after}`);
  }
  const released = JSON.parse(earlier(since, 'src/runtime/package.json')).version;
  const present = JSON.parse(readFileSync(join(root, 'src/runtime/package.json'), 'utf8')).version;
  const least = leastVersion(released, changes);
  const count = (level) => changes.filter((change) => change.level === level).length;
  console.log(
    `${count('major')} breaking changes and ${count('minor')} additions since ${since} (${released}): at least ${least}`,
  );
  if (values.check && !isAtLeast(present, least)) {
    console.error(
      `The packages have the version ${present}: the changes since ${since} need at least ${least}.`,
    );
    process.exitCode = 1;
  }
}

/** Returns a file of a commit; an empty string if it did not exist. */
function earlier(commit, path) {
  return git('ls-tree', '--name-only', commit, path) === '' ? '' : git('show', `${commit}:${path}`);
}

function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 }).trimEnd();
}
