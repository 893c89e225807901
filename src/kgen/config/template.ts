/** Configuration that `kgen init --client` writes, with a comment for each setting. */
import type { Format } from './names.ts';

/** One setting of a new file. */
interface Entry {
  readonly name: string;
  /** Lines of a comment: its effect and its default. */
  readonly about: readonly string[];
  /** An example, in a notation that is valid in TypeScript and YAML. */
  readonly value: string;
}

/** Settings that a new file contains. The other entries are comments. */
const given: readonly Entry[] = [
  {
    name: 'input',
    about: [
      "CRDs in files, folders, archives, glob patterns, https addresses, or '-' for standard input;",
      "of a repository, 'github:owner/repo@tag:path'.",
      'One of input, fromCluster, openapi and kubernetes is needed.',
    ],
    value: "['crds']",
  },
];

const optional: readonly Entry[] = [
  {
    name: 'fromCluster',
    about: ['Instead of input: read the whole API of a cluster. Default: false.'],
    value: 'true',
  },
  {
    name: 'context',
    about: ['With fromCluster: the context, as kubectl has it. Default: the current one.'],
    value: "'my-cluster'",
  },
  {
    name: 'kubeconfig',
    about: ['With fromCluster: the kubeconfig file. Default: $KUBECONFIG, then ~/.kube/config.'],
    value: "'kubeconfig.yaml'",
  },
  {
    name: 'timeout',
    about: [
      'With fromCluster: limit for one response in seconds; a group without one is left out. Default: 60.',
    ],
    value: '60',
  },
  {
    name: 'openapi',
    about: ['Instead of input: saved OpenAPI documents, v2 or v3, or folders of them.'],
    value: "['openapi']",
  },
  {
    name: 'kubernetes',
    about: ['Instead of input: the built-in API of a release of Kubernetes, from its repository.'],
    value: "'1.36'",
  },
  {
    name: 'out',
    about: ['Output folder. Only files that kgen wrote are changed or removed. Default: ./generated.'],
    value: "'./generated'",
  },
  {
    name: 'include',
    about: [
      'Only these: group, group/version or group/version/Kind, * for any characters. The core group is core.',
      'Default: all.',
    ],
    value: "['*.example.com/v1']",
  },
  {
    name: 'exclude',
    about: ['Not these, in the same form; takes precedence over include. Default: none.'],
    value: "['*/v1alpha1']",
  },
  {
    name: 'emit',
    about: ["'ts' writes sources, 'js' writes .js with .d.ts. Default: 'ts'."],
    value: "'ts'",
  },
  {
    name: 'importExtension',
    about: ["Of relative imports in sources: '.js', '.ts' or 'none'. Default: '.js'."],
    value: "'.js'",
  },
  {
    name: 'runtimeImport',
    about: [
      'Module to import the runtime from, and codecs from protobuf below it: ./rt.js and ./rt/protobuf.js.',
      'A relative one starts from the output folder.',
      "Default: '@kgen/runtime/gen/v1'.",
    ],
    value: "'@kgen/runtime/gen/v1'",
  },
  {
    name: 'groupAlias',
    about: [
      'First part of the accessors of a group: clientset.shopV1 for this one.',
      'Default: derived from the name of the group.',
    ],
    value: "{ 'example.com': 'shop' }",
  },
  {
    name: 'paths',
    about: ['Also paths.ts for RESTClient<paths>; with fromCluster, openapi or kubernetes. Default: false.'],
    value: 'false',
  },
  {
    name: 'protobuf',
    about: [
      'Protobuf codecs of built-in kinds, which clients use; with fromCluster, openapi or kubernetes.',
      "'all' writes those of every built-in kind, for decode and encode. Default: true, of kinds in the output.",
    ],
    value: 'true',
  },
  {
    name: 'definitions',
    about: ['Also the CRDs of each group as constants for installation; with input. Default: false.'],
    value: 'false',
  },
  {
    name: 'jsonSchema',
    about: ['Also a JSON Schema of each kind, for editors and kubeconform. Default: false.'],
    value: 'false',
  },
  {
    name: 'exactlyOne',
    about: ['Types accept one of the members of which the schema of a CRD allows only one. Default: false.'],
    value: 'false',
  },
  {
    name: 'verify',
    about: ['Type-check the output in memory before anything is written. Default: false.'],
    value: 'false',
  },
  { name: 'docs', about: ['Comments in the output. Default: true.'], value: 'true' },
  {
    name: 'descriptions',
    about: ['Descriptions in comments; false keeps facts such as defaults and limits. Default: true.'],
    value: 'true',
  },
  { name: 'listers', about: ['Listers, which read what informers keep. Default: true.'], value: 'true' },
  {
    name: 'informers',
    about: ['Informers, which keep copies of objects up to date. Default: true.'],
    value: 'true',
  },
  {
    name: 'schemas',
    about: ['Schemas of all kinds, for samples and test servers. Default: true.'],
    value: 'true',
  },
  {
    name: 'outputs',
    about: [
      'Several outputs, each with its own folder in place of the out above; the other settings are the',
      'defaults of each of them.',
    ],
    value: "[{ out: './generated/v1', include: ['*/v1'] }, { out: './generated/all' }]",
  },
];

/**
 * Returns the content of a new `kgen.config.*`: valid, and with an explanation of each setting. JSON has no
 * comments.
 */
export function configText(format: Format): string {
  if (format === 'json') return '{\n  "input": ["crds"]\n}\n';
  const [comment, indent, end] = format === 'yaml' ? ['#', '', ''] : ['//', '  ', ','];
  const block = ({ name, about, value }: Entry, mark: string): string => {
    const lines = about.map((line) => `${indent}${comment} ${line}\n`);
    return `${lines.join('')}${indent}${mark}${name}: ${value}${end}\n`;
  };
  const blocks = [
    ...given.map((entry) => block(entry, '')),
    ...optional.map((entry) => block(entry, `${comment} `)),
  ];
  return wrap(format, `${comment} ${paths}`, blocks.join('\n'));
}

const paths =
  'Settings of kgen. Relative paths start from the folder of this file; the command line takes precedence.';

function wrap(format: 'ts' | 'js' | 'yaml', title: string, body: string): string {
  if (format === 'yaml') return `${title}\n\n${body}`;
  // Imports types only, so that the file also runs where kgen is not installed.
  if (format === 'ts') {
    return `import type { KgenConfig } from 'kgen';\n\n${title}\nexport default {\n${body}} satisfies KgenConfig;\n`;
  }
  return `${title}\n/** @type {import('kgen').KgenConfig} */\nexport default {\n${body}};\n`;
}
