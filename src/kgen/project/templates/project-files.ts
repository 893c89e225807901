/** Files of a project that do not belong to one kind. */
import { version } from '../../common/version.ts';
import { definitionFolders, type ProjectFacts } from '../record.ts';
import { listText } from './kind-files.ts';
import { kindNames, variableOf } from './names.ts';
import { managerOf, statedManager } from './package-managers.ts';
import { webhooksOf } from './webhook-files.ts';

/** Returns the files, by path. */
export function projectFiles(facts: ProjectFacts): ReadonlyMap<string, string> {
  return new Map([
    ['package.json', packageText(facts)],
    ['tsconfig.json', tsconfigText],
    ['kgen.config.js', configText(facts)],
    ['.gitignore', gitignoreText(facts)],
    ['README.md', readmeText(facts)],
    ['src/operator.ts', operatorText(facts)],
    ['src/main.ts', mainText],
    ...Object.entries(managerOf(facts).files),
  ]);
}

function packageText(facts: ProjectFacts): string {
  const { name } = facts;
  const packageManager = statedManager(facts);
  const content = {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    engines: { node: '>=20.19' },
    ...(packageManager !== undefined && { packageManager }),
    scripts: {
      generate: 'kgen',
      check: 'kgen --check && tsc --noEmit',
      dev: 'kgen dev',
      test: 'vitest run',
    },
    dependencies: { '@kgen/controller': version, '@kgen/kubernetes': version, '@kgen/runtime': version },
    devDependencies: {
      '@kgen/testing': version,
      '@kgen/testserver': version,
      '@types/node': '20.19.43',
      kgen: version,
      typescript: '5.9.3',
      vitest: '4.1.12',
    },
    ...managerOf(facts).manifest,
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

const tsconfigText = `{
  "compilerOptions": {
    "target": "ES2023",
    "lib": ["ES2023"],
    "module": "NodeNext",
    "types": ["node"],
    "strict": true,
    "exactOptionalPropertyTypes": true,
    "noUncheckedIndexedAccess": true,
    "skipLibCheck": true,
    "noEmit": true
  },
  "include": ["api", "src", "test"]
}
`;

function configText(facts: ProjectFacts): string {
  return `// @ts-check
import { defineConfig } from 'kgen';

export default defineConfig({
  // Definitions from which the clients in generated/ are written: those of api/, and any others.
  input: ${listText(definitionFolders(facts))},
  // Namespace, image, replicas, resources and env of the manifests in config/.
  deployment: {},
});
`;
}

function gitignoreText(facts: ProjectFacts): string {
  return ['node_modules/', 'dist/', ...managerOf(facts).ignored].map((line) => `${line}\n`).join('');
}

function readmeText(facts: ProjectFacts): string {
  const { name, kinds: all } = facts;
  const { run } = managerOf(facts);
  const kinds = all.filter(({ origin }) => origin === undefined);
  return `# ${name}

A Kubernetes operator${kinds.length === 0 ? '' : ` of ${kinds.map(({ kind }) => kind).join(', ')}`}, written with kgen.

| Folder | Content |
|---|---|
| \`api\` | types of the custom resources |
| \`src\` | the operator |
| \`samples\`, \`test\` | objects to start from; table tests, simulation, end-to-end tests |
| \`config\`, \`generated\` | written by \`kgen\` from the others, never edited |

\`\`\`sh
${run} dev      # the operator in memory, again after each change
${run} generate # writes config and generated
${run} check    # for CI: fails if a written file is out of date
${run} test
\`\`\`
`;
}

function operatorText(facts: ProjectFacts): string {
  const { name, kinds } = facts;
  const controlled = kinds.filter(({ hasController }) => hasController).map(kindNames);
  const imports = controlled.map(
    (kind) => `import { ${kind.controller} } from './controllers/${kind.file}.js';\n`,
  );
  const added = controlled.map((kind) => `  manager.add(${kind.controller}(manager, informers));\n`);
  const informers = controlled.length === 0 ? '' : '  const informers = new InformerFactory(manager);\n';
  const reviewed = webhooksOf(facts).map(kindNames);
  const handlers = reviewed.map(({ type }) => `${variableOf(type)}Webhooks`);
  const importsOfWebhooks = reviewed.map(
    ({ file }, index) => `import { ${handlers[index]} } from './webhooks/${file}.js';\n`,
  );
  const listed = handlers.map((each) => `...${each}`).join(', ');
  const served = handlers.length === 0 ? '' : `  manager.add(webhooks({ handlers: [${listed}] }));\n`;
  const server = handlers.length === 0 ? '' : `import { webhooks } from '@kgen/controller/webhooks';\n`;
  return `/** The operator: its manager and its controllers. */
import { Manager, type ManagerOptions } from '@kgen/controller';
${server}import ${controlled.length === 0 ? 'type { ClusterConfig }' : '{ type ClusterConfig, InformerFactory }'} from '@kgen/runtime';
${imports.join('')}${importsOfWebhooks.join('')}
const name = '${name}';

/** Returns the operator, for a cluster, a test or a simulation. */
export function operator(config: ClusterConfig, options: ManagerOptions = {}): Manager {
  const manager = new Manager(config, {
    name,
    leaderElection: { name },
    metrics: { port: 8443, tls: 'self-signed', authorize: true },
    health: { port: 8081 },
    ...options,
  });
${informers}${added.join('')}${served}  return manager;
}
`;
}

const mainText = `import { loadConfig } from '@kgen/runtime';
import { operator } from './operator.js';

/** Runs the operator until SIGTERM or SIGINT. */
async function main(): Promise<void> {
  await operator(await loadConfig()).run();
}

void main(); // An error ends the process.
`;
