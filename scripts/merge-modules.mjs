// Joins modules of a package that are always loaded together: each file costs a start of 0.3 ms.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';

/**
 * Moves each module that only one other module imports into that one, in the build output of a package. Entry
 * points and modules that are imported on demand remain, so that a bundle of a user's program loads as late
 * as before, and contains little more.
 *
 * @param {string} folder with the package.json
 */
export async function mergeModules(folder) {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const entries = Object.values(exports).flatMap(({ default: path }) => (path ? [relative('.', path)] : []));
  const options = {
    absWorkingDir: folder,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
  };
  const modules = await modulesOf(options, entries);
  const homeOf = homes(modules, new Set(entries));
  const roots = [...modules.keys()].filter((path) => homeOf(path) === path);
  const { outputFiles } = await build({
    ...options,
    entryPoints: roots,
    write: false,
    outbase: 'dist',
    outdir: 'dist',
    target: 'node20.19',
    legalComments: 'inline',
    lineLimit: 160,
    logLevel: 'error',
    plugins: [betweenHomes(folder, homeOf)],
  });
  for (const { path, text } of outputFiles) writeFileSync(path, withJoinedImports(text));
  for (const path of modules.keys()) if (homeOf(path) !== path) rmSync(join(folder, path));
}

/** Returns the imports of all modules that the entry points reach. */
async function modulesOf(options, entryPoints) {
  const { metafile } = await build({
    ...options,
    entryPoints,
    splitting: true,
    outdir: 'unused',
    metafile: true,
    write: false,
  });
  const inputs = Object.entries(metafile.inputs);
  return new Map(inputs.map(([path, { imports }]) => [path, imports.filter((each) => !each.external)]));
}

/** Returns a function from a module to the one that contains it. */
function homes(modules, entries) {
  const homeOf = (path) => {
    const next = containers.get(path);
    return next === undefined ? path : homeOf(next);
  };
  const containers = new Map();
  const importers = new Map([...modules.keys()].map((path) => [path, new Set()]));
  const fixed = new Set(entries);
  for (const [from, imports] of modules) {
    for (const { path, kind } of imports) {
      if (kind === 'dynamic-import') fixed.add(path);
      else importers.get(path).add(from);
    }
  }
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const path of modules.keys()) {
      if (fixed.has(path) || containers.has(path)) continue;
      const others = new Set([...importers.get(path)].map(homeOf).filter((home) => home !== path));
      if (others.size !== 1) continue;
      containers.set(path, [...others][0]);
      isChanged = true;
    }
  }
  return homeOf;
}

const namedImport = /^import \{([^}]*)\} from "([^"]+)";\n/gm;

/** Modules in one file have imports of their own: those from one module become one, at the first place. */
function withJoinedImports(text) {
  const names = new Map();
  for (const [, each, from] of text.matchAll(namedImport))
    names.set(from, [...(names.get(from) ?? []), each.trim()]);
  return text.replace(namedImport, (_, _names, from) => {
    const all = names.get(from);
    names.delete(from);
    return all === undefined ? '' : `import { ${all.join(', ')} } from "${from}";\n`;
  });
}

/** Imports between files remain imports. */
function betweenHomes(folder, homeOf) {
  return {
    name: 'between-homes',
    setup({ onResolve }) {
      onResolve({ filter: /^\./ }, ({ path, importer, kind, resolveDir }) => {
        if (kind === 'entry-point') return undefined;
        const target = relative(folder, resolve(resolveDir, path)).replaceAll('\\', '/');
        const home = homeOf(relative(folder, importer).replaceAll('\\', '/'));
        if (homeOf(target) === home) return undefined;
        const specifier = relative(dirname(home), target).replaceAll('\\', '/');
        const isBelow = !specifier.startsWith('.');
        return { path: isBelow ? `./${specifier}` : specifier, external: true, sideEffects: false };
      });
    },
  };
}
