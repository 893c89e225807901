// Sources to mutate, tests that need Node alone, and the sources that each of them loads.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { globSync } from 'tinyglobby';
import ts from 'typescript';
import { aliases } from '../aliases.mjs';

/** @returns {string[]} the files of a folder and of those below it, sorted */
export function filesBelow(root, folder) {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries
    .filter(({ name }) => name !== 'node_modules' && name !== 'dist')
    .flatMap((entry) => {
      const path = posix.join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(root, path) : [path];
    })
    .sort();
}

/** Returns the sources to mutate: neither tests nor their helpers. */
export function sourcesOf(root, folder) {
  const isSource = (path) => /\.ts$/.test(path) && !/\.(test|fixture|d)\.ts$/.test(path);
  return filesBelow(root, folder).filter(isSource);
}

/**
 * @returns {Promise<Map<string, ReadonlySet<string>>>} each test file that `npm test` runs, with all files
 * that it loads
 */
export async function testsInMemory(root) {
  const graph = new Graph(root);
  const others = await testsOfServers(root);
  const tests = [...filesBelow(root, 'src'), ...filesBelow(root, 'test')].filter(
    (path) => path.endsWith('.test.ts') && !others.has(path),
  );
  return new Map(tests.map((path) => [path, graph.loadedBy(path)]));
}

/**
 * Returns the test files that `npm test` omits, because they need other programs or documents: see
 * test/projects.ts.
 */
async function testsOfServers(root) {
  const source = readFileSync(join(root, 'test/projects.ts'), 'utf8');
  const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
  const javascript = ts.transpile(source, options);
  // Node 20 does not import TypeScript.
  const { server, shared, corpus, ci } = await import(
    `data:text/javascript,${encodeURIComponent(javascript)}`
  );
  const ignore = ['**/node_modules/**', '**/dist/**'];
  return new Set(globSync([...server, ...shared, ...corpus, ...ci], { cwd: root, ignore }));
}

class Graph {
  #root;
  #imports = new Map();

  constructor(root) {
    this.#root = root;
  }

  loadedBy(path) {
    const found = new Set([path]);
    for (const one of found) {
      for (const other of this.#importsOf(one)) found.add(other);
    }
    return found;
  }

  #importsOf(path) {
    const known = this.#imports.get(path);
    if (known !== undefined) return known;
    const { importedFiles } = ts.preProcessFile(readFileSync(join(this.#root, path), 'utf8'), true, true);
    const files = importedFiles.map(({ fileName }) => this.#resolved(path, fileName)).filter(Boolean);
    this.#imports.set(path, files);
    return files;
  }

  /** Resolves a module as vitest.config.ts does. */
  #resolved(from, name) {
    const alias = aliases.find(([pattern]) => pattern.test(name));
    const path = alias
      ? name.replace(alias[0], alias[1])
      : name.startsWith('.')
        ? posix.join(dirname(from), name)
        : undefined;
    return path?.endsWith('.ts') && existsSync(join(this.#root, path)) ? path : undefined;
  }
}

/** Returns tests in their order of execution: those beside the source first. */
export function nearestFirst(tests, folder) {
  const rank = (path) => {
    if (path.startsWith(`${folder}/`)) return 0;
    if (path.startsWith('test/')) return 20;
    const [own, other] = [folder.split('/'), path.split('/')];
    const shared = own.findIndex((part, place) => part !== other[place]);
    return 10 - (shared < 0 ? own.length : shared);
  };
  return [...tests].sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
}
