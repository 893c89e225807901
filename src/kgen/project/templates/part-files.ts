/** Files that a project has on request. */
import type { ProjectFacts, ProjectPart } from '../record.ts';
import { managerOf } from './package-managers.ts';

/** Returns the files of the parts that a project has, by path. */
export function partFiles(facts: ProjectFacts): ReadonlyMap<string, string> {
  const files: Readonly<Record<ProjectPart, readonly [path: string, text: string]>> = {
    agents: ['AGENTS.md', agentsText(facts)],
    ci: ['.github/workflows/ci.yaml', workflowText(facts)],
    devcontainer: ['.devcontainer/devcontainer.json', devcontainerText(facts)],
  };
  return new Map(facts.parts.map((part) => files[part]));
}

function agentsText(facts: ProjectFacts): string {
  const { name } = facts;
  const { run, exec } = managerOf(facts);
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

- Never edit \`config/\`, \`generated/\` or \`.kgen/\`: change \`api/\`, \`src/\` or \`kgen.config.js\`, and run \`${run} generate\`.
- Permissions in \`config/rbac\` follow from the requests of the program. Do not write them by hand.
- A new kind: \`${exec} kgen create api --group GROUP --version VERSION --kind KIND\`. Do not copy the files of another kind.
- A reconcile function reads the object and its dependents, writes the desired state, and returns. It may run again at
  any time: it keeps no state between runs and waits for nothing.
- Write with server-side apply (\`apply\`, \`applyStatus\`), and only fields that the operator owns.
- Prefer a failing test in \`test/\` to a change without one. A table test states the writes of one run; the simulation
  finds orders of events that break the operator, and prints the seed.

## Before a change is finished

\`\`\`sh
${run} generate # config and generated
${run} check    # written files, types
${run} test     # table tests, simulation
\`\`\`

\`${run} dev\` runs the operator in memory, again after each change. \`${exec} kgen --help\` and \`${exec} kgen COMMAND --help\`
list the commands and their options.
`;
}

function workflowText(facts: ProjectFacts): string {
  const { run, exec } = managerOf(facts);
  const setup = setupText(facts);
  return `name: ci
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
${setup}
      - name: Written files and types
        run: ${run} check
      - name: Tests
        run: ${exec} vitest run --passWithNoTests --exclude '**/*.simulation.test.ts'
      - name: Simulation
        run: ${exec} vitest run --passWithNoTests simulation
${kindJobText(facts)}`;
}

/** Returns the job that builds the image and deploys it to a cluster of kind. */
function kindJobText(facts: ProjectFacts): string {
  const { name } = facts;
  const { exec } = managerOf(facts);
  return `  kind:
    needs: test
    runs-on: ubuntu-24.04
    timeout-minutes: 20
    steps:
${setupText(facts)}
      - name: Image
        run: |
          ${exec} kgen build
          docker build --tag ${name}:ci dist
      - uses: helm/kind-action@v1
        with:
          cluster_name: kind
      - name: Deployment
        run: |
          kind load docker-image ${name}:ci
          ${exec} kgen deploy --image ${name}:ci --timeout 300
      - name: Samples
        if: hashFiles('samples/*') != ''
        run: kubectl apply --server-side --filename samples
      - name: State
        if: always()
        run: |
          ${exec} kgen logs
          ${exec} kgen doctor
`;
}

function setupText(facts: ProjectFacts): string {
  const { setup, isCached, frozenInstall } = managerOf(facts);
  const lines = [
    '- uses: actions/checkout@v4',
    ...setup,
    '- uses: actions/setup-node@v4',
    '  with:',
    '    node-version: 24',
    ...(isCached ? [`    cache: ${facts.packages ?? 'npm'}`] : []),
    `- run: ${frozenInstall}`,
  ];
  return lines.map((line) => `      ${line}`).join('\n');
}

function devcontainerText(facts: ProjectFacts): string {
  const content = {
    name: facts.name,
    image: 'mcr.microsoft.com/devcontainers/typescript-node:24',
    features: {
      'ghcr.io/devcontainers/features/docker-in-docker:2': {},
      'ghcr.io/devcontainers/features/kubectl-helm-minikube:1': { minikube: 'none' },
    },
    postCreateCommand: managerOf(facts).containerInstall,
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}
