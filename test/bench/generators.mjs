// Generators of types over the same definitions and the same API: processor time with the start of Node.js.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import { peerFolder } from '../support/peer.mjs';
import { fluentVersion } from './client-node.mjs';
import { cpuMs, interleaved, median, printAll } from './measure.mjs';

/** Parses the definitions of a file, as each generator must: the lower bound. */
const floorProgram = `
import { loadAll, CORE_SCHEMA } from 'js-yaml';
import { readFileSync } from 'node:fs';
loadAll(readFileSync(process.argv[1], 'utf8'), () => {}, { schema: CORE_SCHEMA });
`;

/** json-schema-to-typescript has a function for one schema, and no command for definitions. */
const schemaProgram = `
import { compile } from 'json-schema-to-typescript';
import { loadAll, CORE_SCHEMA } from 'js-yaml';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
const [file, out] = process.argv.slice(1);
mkdirSync(out);
for (const { spec } of loadAll(readFileSync(file, 'utf8'), undefined, { schema: CORE_SCHEMA })) {
  for (const { name, schema } of spec.versions)
    writeFileSync(out + '/' + name + spec.names.kind + '.ts', await compile(schema.openAPIV3Schema, spec.names.kind));
}
`;

/**
 * Commands by package. `args` are those of a run on an input; kgen, kubernetes-fluent-client and hey-api
 * write clients, the others types.
 */
const definitionPeers = {
  'cdk8s-cli': {
    version: '2.207.60',
    args: (bin, file, out) => [
      bin('cdk8s-cli/bin/cdk8s'),
      'import',
      file,
      '-l',
      'typescript',
      '-o',
      out,
      '--no-check-upgrade',
    ],
  },
  'kubernetes-fluent-client': {
    version: fluentVersion,
    args: (bin, file, out) => [bin('kubernetes-fluent-client/dist/cli.js'), 'crd', file, out],
  },
  'json-schema-to-typescript': {
    version: '16.0.0',
    args: (_, file, out) => ['--input-type=module', '-e', schemaProgram, file, out],
  },
};

const apiPeers = {
  '@hey-api/openapi-ts': {
    version: '0.99.0',
    // Its own range includes versions without the compiler API that it uses.
    beside: ['typescript@5.9.3'],
    args: (bin, file, out) => [
      bin('@hey-api/openapi-ts/dist/run.mjs'),
      ...['-i', file, '-o', out, '-c', '@hey-api/client-fetch', '--silent'],
    ],
  },
  'openapi-typescript': {
    version: '7.13.0',
    args: (bin, file, out) => [
      bin('openapi-typescript/bin/cli.js'),
      thirdVersion(file, out),
      '-o',
      `${out}.ts`,
    ],
  },
};

/** Measures the generators on the definitions of cert-manager and on the API of Kubernetes. */
export function benchGenerators({ node, root, corpus, rounds, folder }) {
  const files = globSync('crds/cert-manager/*.yaml', { cwd: corpus, absolute: true }).sort();
  const definitions = join(mkdtempSync(join(folder, 'definitions-')), 'cert-manager.yaml');
  writeFileSync(
    definitions,
    files.map((file) => readFileSync(file, 'utf8').replace(/^---\n/, '')).join('\n---\n'),
  );
  const api = join(corpus, 'openapi/kubernetes-v2.json');
  const common = { node, root, rounds, folder };
  return [
    ...compare({
      ...common,
      title: "cert-manager's definitions",
      input: definitions,
      peers: definitionPeers,
    }),
    ...compare({ ...common, title: 'the API of Kubernetes', input: api, peers: apiPeers }),
  ];
}

function compare({ node, root, rounds, folder, title, input, peers }) {
  const fresh = () => join(mkdtempSync(join(folder, 'generated-')), 'out');
  const kgen = join(root, 'src/kgen/bin/kgen.js');
  const isApi = input.endsWith('.json');
  const parse = ['--input-type=module', '-e', floorProgram, input];
  const raw = interleaved(rounds, {
    kgen: () => cpuMs(node, [kgen, ...(isApi ? ['--openapi', input] : [input]), '--out', fresh()]),
    ...(isApi ? {} : { 'parsing the YAML': () => cpuMs(node, parse, { cwd: root }) }),
    ...Object.fromEntries(
      installedPeers(peers).map(([name, { args, cwd }]) => {
        const bin = (path) => join(cwd, 'node_modules', path);
        return [name, () => cpuMs(node, args(bin, input, fresh()), { cwd })];
      }),
    ),
  });
  console.log(`${title}, processor time`);
  printAll(raw, 'ms');
  return Object.keys(raw)
    .filter((name) => name !== 'kgen')
    .map((name) => ({
      what: `${title}: processor time of kgen over that of ${name}`,
      value: median(raw.kgen.map((ms, round) => ms / raw[name][round])),
      unit: '×',
    }));
}

function installedPeers(peers) {
  return Object.entries(peers).flatMap(([name, { version, beside, args }]) => {
    const cwd = peerFolder(name, version, beside);
    return cwd === undefined ? [] : [[name, { args, cwd }]];
  });
}

/** openapi-typescript reads version 3 alone: the schemas of a document of version 2 are valid in both. */
function thirdVersion(file, out) {
  const { info, definitions } = JSON.parse(
    readFileSync(file, 'utf8').replaceAll('#/definitions/', '#/components/schemas/'),
  );
  const document = { openapi: '3.0.0', info, paths: {}, components: { schemas: definitions } };
  writeFileSync(`${out}.json`, JSON.stringify(document));
  return `${out}.json`;
}
