import { describe, expect, test } from 'vitest';
import { cyclesOf } from './cycles.ts';
import { layers, placeOf } from './layers.ts';
import { type Edge, edgesOf, importedNames, sources } from './sources.ts';

const edges: readonly Edge[] = sources.flatMap(edgesOf);
const values: readonly Edge[] = edges.filter(({ value }) => value);

/**
 * Imports that the modules below a folder may have, besides their own folder. `types` may be imported as
 * types only.
 */
interface Rule {
  readonly below: string;
  readonly values: readonly RegExp[];
  readonly types?: readonly RegExp[];
}

const problems = /^src\/kgen\/common\/problems\.ts$/;
const words = /^src\/kgen\/common\/words\.ts$/;
/** Validity and composition of names: the same rules for CRDs, for documents and for the model of both. */
const names = /^src\/kgen\/common\/names\.ts$/;
/** Predicates of JSON values, independent of the source of a value. */
const json = /^src\/kgen\/input\/json\.ts$/;

/** Rules of schemas and CEL, which kgen and the server in memory share. */
const schema = /^src\/schema\//;

/** Authorities and certificates, which webhooks and API servers for tests share. */
const certificates = /^src\/certificates\//;

/** Cache of responses and results. */
const cache = /^src\/kgen\/common\/cache\//;

const rules: readonly Rule[] = [
  // Files, archives, addresses and modules; the rest of the input only reads strings, in browsers, too.
  ...['sources', 'modules'].map(
    (folder): Rule => ({
      below: `src/kgen/input/${folder}/`,
      values: [
        problems,
        cache,
        /^src\/kgen\/input\//,
        /^(fflate|modern-tar|tinyglobby)$/,
        /^node:(buffer|fs|fs\/promises|module|path|util|url|zlib)$/,
      ],
      types: [/^node:stream$/],
    }),
  ),
  {
    below: 'src/kgen/input/',
    values: [problems, words, names, schema, /^@kgen\/runtime\/objects$/, /^js-yaml$/],
    types: [/^yaml$/],
  },
  {
    below: 'src/kgen/model/',
    values: [problems, words, names, json, schema, /^@noble\/hashes\//],
    types: [/^src\/kgen\/input\/crd\/(crd|crd-input)\.ts$/, /^src\/kgen\/openapi\/types\.ts$/],
  },
  {
    below: 'src/kgen/openapi/',
    values: [problems, words, names, schema, /^src\/kgen\/input\//, /^node:(crypto|path|util)$/],
  },
  {
    below: 'src/kgen/cluster/',
    values: [
      problems,
      words,
      names,
      cache,
      /^src\/kgen\/input\/(crd\/definition|json|reading\/yaml|sources\/url)\.ts$/,
      /^src\/kgen\/model\/select\.ts$/,
      /^src\/kgen\/openapi\//,
      /^@kgen\/runtime(\/|$)/,
      /^node:(crypto|path)$/,
    ],
    types: [/^src\/kgen\/input\//],
  },
  {
    below: 'src/kgen/paths/',
    values: [
      problems,
      words,
      names,
      /^src\/kgen\/emit\/text\/(literals|module|paths|schema-text)\.ts$/,
      json,
      /^typescript$/,
    ],
    types: [/^src\/kgen\/(emit|model|openapi|input)\//],
  },
  {
    below: 'src/kgen/typecheck/',
    values: [problems, words, /^node:(module|path|url)$/, /^ts-morph$/],
    types: [/^src\/kgen\/emit\/options\.ts$/, /^src\/kgen\/write\/plan\.ts$/],
  },
  {
    below: 'src/kgen/manifests/',
    values: [/^(?!@kgen\/test|src\/test|typescript)/],
    types: [/^typescript/],
  },
  {
    below: 'src/kgen/codemod/',
    values: [problems, /^src\/kgen\/input\/modules\//, /^node:(fs|module|path)$/, /^ts-morph$/],
  },
  { below: 'src/kgen/contract/', values: [names, json, /^ts-morph$/], types: [/^@kgen\/runtime\/gen\/v1$/] },
  {
    below: 'src/kgen/emit/',
    values: [schema, /^src\/kgen\/notation\//, words, names, json],
    types: [/^src\/kgen\/model\/ir\.ts$/, /^src\/kgen\/protobuf\/types\.ts$/],
  },
  {
    below: 'src/kgen/protobuf/',
    values: [words, schema, /^src\/kgen\/model\/names\/known-groups\.ts$/],
    types: [/^src\/kgen\/model\/ir\.ts$/],
  },
  {
    below: 'src/kgen/write/',
    values: [problems, json, /^node:(child_process|crypto|fs|fs\/promises|os|path)$/],
    types: [/^src\/kgen\/input\/crd\/crd-input\.ts$/],
  },
  {
    below: 'src/kgen/config/',
    values: [
      problems,
      /^src\/kgen\/common\/code-problem\.ts$/,
      json,
      names,
      /^src\/kgen\/input\/(reading\/(reread|yaml)|sources\/(files|load-yaml|url))\.ts$/,
      /^node:(fs|path|url)$/,
    ],
    types: [/^src\/kgen\/manifests\/deployment\/values\.ts$/],
  },
  // Its program runs in browsers, which load the pure modules, too.
  {
    below: 'src/kgen/view/page/',
    values: [
      /^src\/kgen\/view\/(opened|recording|recording-lines|recording-reader|run-builder|secrets)\.ts$/,
      /^(preact(\/hooks)?|@codemirror\/.*|@lezer\/highlight)$/,
    ],
    types: [/^src\/kgen\/view\/(format|live-document)\.ts$/],
  },
  { below: 'src/kgen/view/', values: [/^node:(crypto|events|fs|http|module|path)$/] },
  { below: 'src/kgen/', values: [/^(?!@kgen\/test|src\/test|typescript|ts-morph)/] },
  {
    below: 'src/runtime/',
    values: [/^(undici\/lib\/(core\/connect|dispatcher\/pool)\.js|yaml|oauth4webapi)$/, /^node:/],
    types: [/^undici$/],
  },
  {
    below: 'src/controller/',
    values: [certificates, /^@kgen\/runtime(\/|$)/, /^(prom-client|@opentelemetry\/api)$/, /^node:/],
  },
  { below: 'src/certificates/', values: [/^node:(crypto|net)$/] },
  // Nothing of Node.js: the generator runs in browsers, too.
  {
    below: 'src/schema/',
    values: [/^@kgen\/runtime\/(objects|quantity|selectors)$/, /^(re2js|js-yaml)$/],
  },
  {
    below: 'src/testserver/',
    values: [
      certificates,
      schema,
      /^@kgen\/runtime(\/|$)/,
      /^@kgen\/kubernetes\/(catalog|protobuf)$/,
      /^(js-yaml|tinyglobby|ws)$/,
      /^node:/,
    ],
  },
  {
    below: 'src/testing/',
    values: [
      certificates,
      schema,
      /^src\/testserver\//,
      /^@kgen\/(runtime|testserver)(\/|$)/,
      /^@kgen\/kubernetes\/catalog$/,
      /^kgen\/(commands|contract|view)$/,
      /^(?!@kgen|kgen|src\/)/,
    ],
  },
];

function allowed({ from, to, value }: Edge): boolean {
  const rule = rules.find(({ below }) => from.startsWith(below));
  if (rule === undefined) return false;
  if (to.startsWith(rule.below)) return true;
  const patterns = value ? rule.values : [...rule.values, ...(rule.types ?? [])];
  return patterns.some((pattern) => pattern.test(to));
}

const text = ({ from, to, value }: Edge): string => `${from} imports ${value ? '' : 'types of '}${to}`;

describe('imports of sources', () => {
  test('are found', () => {
    expect(sources.length).toBeGreaterThan(50);
    expect(values.length).toBeGreaterThan(100);
  });

  test('follow the layers', () => {
    expect(edges.filter((edge) => !allowed(edge)).map(text)).toEqual([]);
  });

  test('match every rule at least once', () => {
    const idle = rules.filter(({ below }) => !edges.some(({ from }) => from.startsWith(below)));
    expect(idle.map(({ below }) => below)).toEqual([]);
  });

  test('of relative modules have the extension of the sources', () => {
    const paths = new Set(sources.map(({ path }) => path));
    expect(edges.filter(({ to }) => to.startsWith('src/') && !paths.has(to)).map(text)).toEqual([]);
  });

  test('have no cycles of values', () => {
    expect(cyclesOf(values)).toEqual([]);
  });
});

describe.each(Object.keys(layers))('layers of %s', (name) => {
  const isOwn = (path: string): boolean => path.startsWith(`src/${name}/`);

  test('contain every module', () => {
    const paths = sources.map(({ path }) => path).filter(isOwn);
    expect(paths.filter((path) => placeOf(path) === undefined)).toEqual([]);
  });

  test('import from lower layers only', () => {
    const wrong = edges.filter(({ from, to }) => {
      const [importer, imported] = [placeOf(from), placeOf(to)];
      if (!isOwn(from) || !isOwn(to) || importer === undefined || imported === undefined) return false;
      return importer.unit !== imported.unit && imported.layer >= importer.layer;
    });
    expect(wrong.map(text)).toEqual([]);
  });
});

describe('the runtime', () => {
  const unit = (path: string): string | undefined => placeOf(path)?.unit;

  test('imports every dependency in one place', () => {
    const users = (name: string): readonly (string | undefined)[] =>
      edges
        .filter(({ from, to }) => to.split('/')[0] === name && from.startsWith('src/runtime/'))
        .map(({ from }) => unit(from));
    expect([...new Set(users('undici'))]).toEqual(['rest']);
    expect([...new Set(users('yaml'))]).toEqual(['yaml']);
    expect([...new Set(users('oauth4webapi'))]).toEqual(['auth']);
  });
});

describe('writes to files', () => {
  const changing =
    /^(writeFile|appendFile|mkdir|mkdtemp|rename|unlink|rm|rmdir|copyFile|cp|symlink|link|chmod|truncate|createWriteStream)(Sync)?$/;

  test('occur only in the output writer, the cache, and commands that write files of the author', () => {
    const writers = sources.filter(({ file }) =>
      importedNames(file, /^node:fs/).some((name) => changing.test(name) || name === '*'),
    );
    const folders = writers.map(({ path }) => path).filter((path) => path.startsWith('src/kgen/'));
    const units = folders.map((path) => path.replace(/^src\/kgen\/(write)\/.*/, '$1'));
    expect([...new Set(units)]).toEqual([
      'src/kgen/cli/commands/init-client.ts',
      'src/kgen/cli/operators/page-output.ts',
      'src/kgen/codemod/codemod.ts',
      'src/kgen/common/cache/cache.ts',
      'src/kgen/manifests/import/import-definitions.ts',
      'src/kgen/project/image/single.ts',
      'src/kgen/project/local/guard-main.ts',
      'src/kgen/project/local/kubeconfig.ts',
      'src/kgen/project/local/webhooks.ts',
      'write',
    ]);
  });
});
