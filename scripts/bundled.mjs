// Writes ES modules of packages in CommonJS into the packages that operators load. A bundler cannot convert
// their `require` of modules of Node.js in each format: esbuild's ES modules throw at it, and rollup imports
// optional modules at once. Node.js itself loads the installed packages.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { licences, packagesOf } from './licences.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Modules by package: their source, and the import that they replace: of a package, or of a module that loads
 * one, which `default` names. With `isOnly`, the published package contains the module in place of the
 * dependency, whose files are several times as large as the part that is used.
 */
const modules = {
  '@kgen/runtime': {
    undici: {
      source: `import Pool from 'undici/lib/dispatcher/pool.js';
import buildConnector from 'undici/lib/core/connect.js';
export const loadUndici = async () => ({ Pool, buildConnector });`,
      default: './dist/rest/transport/undici.js',
    },
    // The build without modules of Node.js, which is in ES modules.
    yaml: { source: "export * from './node_modules/yaml/browser/index.js';", default: 'yaml', isOnly: true },
    oauth4webapi: {
      source: `export {
        ClientSecretPost, JSON_ATTRIBUTE_COMPARISON, JWT_CLAIM_COMPARISON, JWT_TIMESTAMP_CHECK, None,
        OperationProcessingError, PARSE_ERROR, RESPONSE_IS_NOT_JSON, ResponseBodyError, clockTolerance, customFetch,
        discoveryRequest, processDiscoveryResponse, processRefreshTokenResponse, refreshTokenGrantRequest,
      } from 'oauth4webapi';`,
      default: 'oauth4webapi',
      isOnly: true,
    },
  },
  '@kgen/controller': {
    'prom-client': {
      source: ['Counter', 'Gauge', 'Histogram', 'Registry']
        .map((name) => `export { default as ${name} } from 'prom-client/lib/${name.toLowerCase()}.js';`)
        .join('\n'),
      default: 'prom-client',
    },
  },
};

/**
 * Writes the modules of a package, with `imports` in its manifest: of `#NAME`, bundlers choose the module, by
 * the condition `module`, and others the installed package. The condition `kgen-installed` chooses it, too.
 *
 * @param {string} folder of the prepared package
 */
export async function writeBundledModules(folder) {
  const path = join(folder, 'package.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  const own = Object.entries(modules[manifest.name] ?? {});
  if (own.length === 0) return;
  const dist = join(folder, 'dist');
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    if (file.endsWith('.js')) replaceImports(folder, join(dist, file), own);
  }
  mkdirSync(join(dist, 'bundled'), { recursive: true });
  const contains = new Set();
  for (const [name, { source }] of own) {
    const { text, packages } = await bundled(name, source);
    writeFileSync(join(dist, `bundled/${name}.js`), text);
    for (const each of packages) contains.add(each);
  }
  const imports = own.map(([name, { default: other, isOnly }]) => {
    const module = `./dist/bundled/${name}.js`;
    return [`#${name}`, isOnly ? module : { 'kgen-installed': other, module, default: other }];
  });
  const contained = new Set(own.flatMap(([name, { isOnly }]) => (isOnly ? [name] : [])));
  const dependencies = Object.entries(manifest.dependencies).filter(([name]) => !contained.has(name));
  const published = {
    ...manifest,
    dependencies: Object.fromEntries(dependencies),
    imports: Object.fromEntries(imports),
    // Bills of materials list them.
    contains: Object.fromEntries([...contains].sort().map((name) => [name, versionOf(name)])),
  };
  writeFileSync(path, `${JSON.stringify(published, null, 2)}\n`);
}

function replaceImports(folder, file, own) {
  const before = readFileSync(file, 'utf8');
  const home = posix.dirname(relative(folder, file).replaceAll('\\', '/'));
  const after = before.replace(/(\bfrom |\bimport\()"([^"]+)"/g, (all, start, specifier) => {
    const target = specifier.startsWith('.') ? `./${posix.join(home, specifier)}` : specifier;
    const [name] = own.find(([, { default: other }]) => other === target) ?? [];
    return name === undefined ? all : `${start}"#${name}"`;
  });
  if (after !== before) writeFileSync(file, after);
}

async function bundled(name, contents) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    stdin: { contents, resolveDir: root },
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 160,
    legalComments: 'none',
    external: ['@opentelemetry/api'],
    plugins: [nodeModules],
    logLevel: 'error',
  });
  // First: publint takes "*/*" of a string for a comment, and finds no export behind it.
  const text = outputFiles[0].text.replace(/^([\s\S]*)(export\{[^}]*\};?)\s*$/, '$2\n$1\n');
  const packages = packagesOf(Object.keys(metafile.inputs));
  return { text: `${text}${licences(`The module of ${name}`, packages)}`, packages };
}

function versionOf(name) {
  return JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version;
}

/** Modules of Node.js are loaded where the packages require them, which differs from imports. */
const nodeModules = {
  name: 'node-modules',
  setup({ onResolve, onLoad }) {
    const names = new Set(builtinModules);
    onResolve({ filter: /^(node:)?[\w/]+$/ }, ({ path, kind }) => {
      if (kind !== 'require-call') return undefined;
      const isBuiltin = path.startsWith('node:') || names.has(path);
      return isBuiltin ? { path: path.replace(/^(node:)?/, 'node:'), namespace: 'builtin' } : undefined;
    });
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `const found = process.getBuiltinModule(${JSON.stringify(path)});
if (found === undefined) throw new Error(${JSON.stringify(`Cannot find module '${path}'`)});
module.exports = found;`,
      loader: 'js',
    }));
    // Programs and their SDKs share this package.
    onResolve({ filter: /^@opentelemetry\/api$/ }, ({ kind, path }) =>
      kind === 'require-call' ? { path, namespace: 'shared' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'shared' }, ({ path }) => ({
      contents: `export * from ${JSON.stringify(path)};`,
      resolveDir: root,
    }));
  },
};
