// Writes the reference of the public API into site/reference: one page for each module of a package.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Application } from 'typedoc';

const root = fileURLToPath(new URL('..', import.meta.url));

const packages = ['runtime', 'controller', 'kgen', 'testing', 'testserver'];

/** Modules for generated code, for kgen's own packages, and for programs that load a module by its path. */
const hidden = /^\.\/(gen\/|internal\/|cli$|commands$|command$|election-worker$)/;

/** Returns the modules of a package with their sources. */
function modulesOf(folder) {
  const { name, exports } = JSON.parse(readFileSync(`${root}src/${folder}/package.json`, 'utf8'));
  return Object.entries(exports)
    .filter(([path, { types }]) => types !== undefined && !hidden.test(path))
    .map(([path, { types }]) => ({
      name: name + path.slice(1),
      source: `${root}src/${folder}/${types.replace(/^\.\/dist\//, '').replace(/\.d\.ts$/, '.ts')}`,
    }));
}

const modules = packages.flatMap(modulesOf);
const application = await Application.bootstrapWithPlugins({
  plugin: ['typedoc-plugin-markdown'],
  entryPoints: modules.map(({ source }) => source),
  tsconfig: `${root}site/tsconfig.reference.json`,
  out: `${root}site/reference`,
  readme: 'none',
  name: 'Reference',
  router: 'module',
  entryFileName: 'index',
  excludeInternal: true,
  excludePrivate: true,
  excludeExternals: true,
  useCodeBlocks: true,
  // Those of headings are counted in another way.
  useHTMLAnchors: true,
  anchorPrefix: 'symbol-',
  hideBreadcrumbs: true,
  hidePageHeader: true,
  githubPages: false,
  skipErrorChecking: true,
  logLevel: 'Error',
});
const project = await application.convert();
if (project === undefined) process.exit(1);
const byFile = new Map(modules.map(({ name, source }) => [source, name]));
for (const reflection of project.children ?? []) {
  const source = reflection.sources?.[0]?.fullFileName;
  reflection.name = byFile.get(source) ?? reflection.name;
}
// Lines in sources change with each commit.
for (const reflection of Object.values(project.reflections)) delete reflection.sources;
await application.generateOutputs(project);
