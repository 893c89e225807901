/** Files that a project has on request. */
import type { ProjectFacts, ProjectPart } from '../record.ts';

/** Returns the files of the parts that a project has, by path. */
export function partFiles({ name, parts }: ProjectFacts): ReadonlyMap<string, string> {
  const files: Readonly<Record<ProjectPart, readonly [path: string, text: string]>> = {
    agents: ['AGENTS.md', agentsText(name)],
    ci: ['.github/workflows/ci.yaml', workflowText],
    devcontainer: ['.devcontainer/devcontainer.json', devcontainerText(name)],
  };
  return new Map(parts.map((part) => files[part]));
}

function agentsText(name: string): string {
  return `# ${name}

A Kubernetes operator in TypeScript, written with kgen.

## Files

| Path | Content | Edited by |
|---|---|---|
| \`api/\` | types of the custom resources; tags in doc comments are the rules of their schemas | hand |
| \`src/operator.ts\` | the manager and its controllers | hand |
| \`src/controllers/\` | one file per kind: its reconcile function | hand |
| \`samples/\` | one object per kind, which \`kgen dev\` creates | hand |
| \`test/\` | table tests, simulations (\`*.simulation.test.ts\`), tests on a control plane (\`*.e2e.test.ts\`) | hand |
| \`kgen.config.js\` | settings of the clients and of the deployment | hand |
| \`config/\`, \`generated/\`, \`.kgen/\` | definitions, permissions, deployment, clients, record | \`kgen\` only |

## Rules

- Never edit \`config/\`, \`generated/\` or \`.kgen/\`: change \`api/\`, \`src/\` or \`kgen.config.js\`, and run \`npm run generate\`.
- Permissions in \`config/rbac\` follow from the requests of the program. Do not write them by hand.
- A new kind: \`npx kgen create api --group GROUP --version VERSION --kind KIND\`. Do not copy the files of another kind.
- A reconcile function reads the object and its dependents, writes the desired state, and returns. It may run again at
  any time: it keeps no state between runs and waits for nothing.
- Write with server-side apply (\`apply\`, \`applyStatus\`), and only fields that the operator owns.
- Prefer a failing test in \`test/\` to a change without one. A table test states the writes of one run; the simulation
  finds orders of events that break the operator, and prints the seed.

## Before a change is finished

\`\`\`sh
npm run generate # config and generated
npm run check    # written files, types
npm test         # table tests, simulation
\`\`\`

\`npm run dev\` runs the operator in memory, again after each change. \`npx kgen --help\` and \`npx kgen COMMAND --help\`
list the commands and their options.
`;
}

const workflowText = `name: ci
on:
  push:
    branches: [main]
  pull_request:

permissions:
  contents: read

jobs:
  test:
    runs-on: ubuntu-24.04
    timeout-minutes: 30
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 24
          cache: npm
      - run: npm ci
      - name: Written files and types
        run: npm run check
      - name: Tests
        run: npm test -- --passWithNoTests --exclude '**/*.simulation.test.ts'
      - name: Simulation
        run: npm test -- --passWithNoTests simulation
`;

function devcontainerText(name: string): string {
  const content = {
    name,
    image: 'mcr.microsoft.com/devcontainers/typescript-node:24',
    features: {
      'ghcr.io/devcontainers/features/docker-in-docker:2': {},
      'ghcr.io/devcontainers/features/kubectl-helm-minikube:1': { minikube: 'none' },
    },
    postCreateCommand: 'npm install',
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}
