// The next version of all packages, and the files that state it.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { peerFolder } from '../../test/support/peer.mjs';
import { releasedChangelog } from './changelog.mjs';

/** The tool that computes versions, which needs Node 22 or later. */
const changesets = ['@changesets/cli', '3.0.3'];

/** Packages whose versions examples state. */
const own = /("(?:kgen|create-kgen|@kgen\/[\w-]+)(?:\\?)": (?:\\?)")(\d+\.\d+\.\d+)/g;

/**
 * Returns the version of the next release, and the text of each file that states it. Without changesets, it
 * is the version of the tree: the first release.
 *
 * @param {string} root of the repository
 * @param {{ readonly node: string, readonly date: string }} options a Node.js of at least 22, and the day
 * @returns {{ readonly version: string, readonly files: ReadonlyMap<string, string> }}
 */
export function nextVersion(root, { node, date }) {
  const copy = mkdtempSync(join(tmpdir(), 'kgen-version-'));
  try {
    const paths = manifestPaths(root);
    for (const path of [...paths, '.changeset', 'CHANGELOG.md', 'package-lock.json']) {
      mkdirSync(dirname(join(copy, path)), { recursive: true });
      cpSync(join(root, path), join(copy, path), { recursive: true });
    }
    const notes = notesIn(join(copy, '.changeset'));
    if (notes.length > 0) runChangesets(copy, node);
    const { version } = JSON.parse(readFileSync(join(copy, 'src/runtime/package.json'), 'utf8'));
    const manifests = paths.map((path) => [
      path,
      stamped(path, readFileSync(join(copy, path), 'utf8'), version),
    ]);
    const examples = examplePaths(root).map((path) => [
      path,
      withVersions(readFileSync(join(root, path), 'utf8'), version),
    ]);
    const log = releasedChangelog(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), { version, date, notes });
    return { version, files: new Map([...manifests, ...examples, ['CHANGELOG.md', log]]) };
  } finally {
    rmSync(copy, { recursive: true });
  }
}

/** Writes the files of a version, and removes the changesets that it contains. */
export function writeVersion(root, files) {
  for (const [path, text] of files) writeFileSync(join(root, path), text);
  for (const file of changesetFiles(join(root, '.changeset'))) rmSync(file);
  execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts'], {
    cwd: root,
    stdio: 'inherit',
  });
}

function runChangesets(cwd, node) {
  const folder = peerFolder(...changesets);
  if (folder === undefined) throw new Error(`${changesets.join(' ')} cannot be installed`);
  const program = join(folder, 'node_modules', changesets[0], 'bin.js');
  execFileSync(node, [program, 'version'], { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Returns the manifests of the workspace: those of the packages, and the one of the repository. */
function manifestPaths(root) {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return ['package.json', ...workspaces.map((folder) => `${folder}/package.json`)];
}

function examplePaths(root) {
  const projects = readdirSync(join(root, 'examples/operators'), { withFileTypes: true });
  const folders = projects
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `examples/operators/${name}`);
  return folders.flatMap((folder) => [`${folder}/package.json`, `${folder}/.kgen/project.json`]);
}

/** The repository is not a package of the group, but has its version. */
function stamped(path, text, version) {
  return path === 'package.json' ? text.replace(/("version": ")[^"]+/, `$1${version}`) : text;
}

const withVersions = (text, version) => text.replace(own, `$1${version}`);

const changesetFiles = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .sort()
    .map((name) => join(folder, name));

/** Returns the texts of changesets. */
function notesIn(folder) {
  return changesetFiles(folder).map((file) =>
    readFileSync(file, 'utf8')
      .replace(/^---\n[\s\S]*?\n---\n/, '')
      .trim(),
  );
}
