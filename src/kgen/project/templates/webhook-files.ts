/** Files of the webhooks of a kind: its declarations and their test. */
import { definitionFolders, type ProjectFacts } from '../record.ts';
import { listText } from './kind-files.ts';
import { clientOf, kindNames, variableOf } from './names.ts';

/** Webhooks of one kind: of its admission, its conversion or both. */
export interface KindWebhooks {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly defaults: boolean;
  readonly validates: boolean;
  /** Versions that are converted to `version`. */
  readonly versions: readonly string[];
  readonly origin?: 'external' | 'built-in';
}

/** Returns the webhooks of a project: those of its kinds, and of Kubernetes. */
export function webhooksOf({ kinds, webhooks }: ProjectFacts): readonly KindWebhooks[] {
  const builtIn = webhooks.filter(({ kind }) => !kinds.some((each) => each.kind === kind));
  const own = kinds.flatMap((kind) => {
    const admission = webhooks.find((each) => each.kind === kind.kind);
    const { furtherVersions: versions = [] } = kind;
    if (admission === undefined && versions.length === 0) return [];
    const { defaults = false, validates = false } = admission ?? {};
    return [{ ...kind, defaults, validates, versions }];
  });
  return [...own, ...builtIn.map((each) => ({ ...each, versions: [], origin: 'built-in' as const }))];
}

/** Returns the files, by path. */
export function webhookFiles(facts: ProjectFacts): ReadonlyMap<string, string> {
  return new Map(
    webhooksOf(facts).flatMap((webhooks) => {
      const { file } = kindNames(webhooks);
      return [
        [`src/webhooks/${file}.ts`, declarationText(webhooks, facts)] as const,
        [`test/${file}.webhooks.test.ts`, testText(webhooks, facts)] as const,
      ];
    }),
  );
}

function declarationText(webhooks: KindWebhooks, { domain }: ProjectFacts): string {
  const { versions, defaults, validates, origin } = webhooks;
  const { type, descriptor } = kindNames(webhooks);
  const functions = [
    ...(versions.length > 0 ? ['converts'] : []),
    ...(defaults ? ['defaults'] : []),
    ...(validates ? ['validates'] : []),
  ];
  const clients = [
    ...(validates ? [`import { invalidValue } from '@kgen/runtime/objects';`] : []),
    `import { ${descriptor} } from '${clientOf(webhooks, '../../')}';`,
    ...versions.map(
      (each) =>
        `import { ${descriptor} as ${descriptorOf(descriptor, each)} } from '${clientOf({ ...webhooks, version: each }, '../../')}';`,
    ),
  ];
  const policy =
    origin === 'built-in'
      ? `\n    failurePolicy: 'Ignore', // 'Fail' refuses all objects while no replica runs: select namespaces then.`
      : '';
  const declarations = [
    ...(defaults ? [defaultsText(descriptor, domain, policy)] : []),
    ...(validates ? [validatesText(descriptor, domain, policy)] : []),
    ...(versions.length > 0 ? [conversionText(descriptor, versions)] : []),
  ];
  return `/** Webhooks of ${type} objects. */
import { ${functions.join(', ')} } from '@kgen/controller/webhooks';
${clients.join('\n')}

/** Declarations, from which kgen writes the configurations. */
export const ${variableOf(type)}Webhooks = [
${declarations.join('')}];
`;
}

/** Returns the descriptor of a version besides the first one. */
function descriptorOf(descriptor: string, version: string): string {
  return `${descriptor}${version.charAt(0).toUpperCase()}${version.slice(1)}`;
}

function defaultsText(descriptor: string, domain: string, policy: string): string {
  return `  defaults(${descriptor}, {${policy}
    // An example: replace it with defaults that the schema cannot state.
    handle: ({ metadata }) => ({
      metadata: { annotations: { '${domain}/owner': 'unknown', ...metadata?.annotations } },
    }),
  }),
`;
}

function validatesText(descriptor: string, domain: string, policy: string): string {
  return `  validates(${descriptor}, {${policy}
    // An example: replace it with rules that the schema cannot state.
    handle: ({ metadata }) =>
      metadata?.annotations?.['${domain}/owner'] === ''
        ? [invalidValue('metadata.annotations[${domain}/owner]', '', 'must name the owner')]
        : [],
  }),
`;
}

function conversionText(descriptor: string, versions: readonly string[]): string {
  const entries = versions.map(
    (each) => `      ${each}: {
        resource: ${descriptorOf(descriptor, each)},
        // Equal members are copied. Return those that differ, without members that a version does not have.
        toHub: () => ({}),
        fromHub: () => ({}),
      },
`,
  );
  return `  converts(${descriptor}, {
    versions: {
${entries.join('')}    },
  }),
`;
}

function testText(webhooks: KindWebhooks, facts: ProjectFacts): string {
  const { name, domain } = facts;
  const { versions, defaults, validates } = webhooks;
  const { type, descriptor, file } = kindNames(webhooks);
  const [handlers, variable] = [`${variableOf(type)}Webhooks`, variableOf(type)];
  const isReviewed = defaults || validates;
  const converts = versions.length > 0;
  const fromController = [
    ...(isReviewed ? ['webhookConfigurations'] : []),
    ...(converts ? ['webhooks'] : []),
  ];
  const fromTesting = [
    ...(converts ? ['roundTrips'] : []),
    ...(isReviewed ? ['sampleOf', 'tableTests'] : []),
  ];
  const imports = [
    `import { ${fromController.join(', ')} } from '@kgen/controller/webhooks';`,
    `import { ${fromTesting.join(', ')} } from '@kgen/testing';`,
    ...(isReviewed ? [`import { expect, test } from 'vitest';`] : []),
    ...(isReviewed ? [`import { ${descriptor} } from '${clientOf(webhooks, '../')}';`] : []),
    ...(isReviewed ? [`import { operator } from '../src/operator.js';`] : []),
    `import { ${handlers} } from '../src/webhooks/${file}.js';`,
  ];
  const setting = `
const { configurations } = webhookConfigurations(${handlers}, { name: '${name}', namespace: '${name}' });
const { given } = tableTests(operator, { crds: ${listText(definitionFolders(facts))}, objects: configurations });
`;
  return [
    ...imports.map((line) => `${line}\n`),
    ...(isReviewed ? [setting] : []),
    ...(defaults ? [defaultsTestText(descriptor, variable, domain)] : []),
    ...(validates ? [validatesTestText(descriptor, variable, domain)] : []),
    ...(converts
      ? [
          `\n// Objects are the same after a conversion to another version and back.\nawait roundTrips(webhooks({ handlers: ${handlers} }));\n`,
        ]
      : []),
  ].join('');
}

function defaultsTestText(descriptor: string, variable: string, domain: string): string {
  return `
test('completes new objects', async () => {
  const ${variable} = await sampleOf(${descriptor}, { seed: 1 });
  const { allowed, object } = await given().admission({ create: ${variable} });
  expect(allowed).toBe(true);
  expect(object?.metadata?.annotations).toMatchObject({ '${domain}/owner': 'unknown' });
});
`;
}

function validatesTestText(descriptor: string, variable: string, domain: string): string {
  return `
test('refuses objects without an owner', async () => {
  const ${variable} = await sampleOf(${descriptor}, { seed: 1 });
  const metadata = { ...${variable}.metadata, annotations: { '${domain}/owner': '' } };
  const { allowed, causes } = await given().admission({ create: { ...${variable}, metadata } });
  expect(allowed).toBe(false);
  expect(causes).toMatchObject([{ field: 'metadata.annotations[${domain}/owner]' }]);
});
`;
}
