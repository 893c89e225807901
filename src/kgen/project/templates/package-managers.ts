/** Commands and files of the package managers that projects may use. */
import type { PackageManager, ProjectManager } from '../record.ts';

/** A package manager in the files of a project. */
export interface ManagerFacts {
  /** Runs a script of package.json: `npm run`. */
  readonly run: string;
  /** Runs a program of the packages: `npx`. */
  readonly exec: string;
  /** Installs exactly the packages of the lock file. */
  readonly frozenInstall: string;
  /** Steps of a workflow before Node.js is set up. */
  readonly setup: readonly string[];
  /** Whether `actions/setup-node` caches its packages. */
  readonly isCached: boolean;
  /** Installs the package manager and the packages in a container with Node.js. */
  readonly containerInstall: string;
  /** Lines of `.gitignore`. */
  readonly ignored: readonly string[];
  /** Members of package.json. */
  readonly manifest: Readonly<Record<string, unknown>>;
  /** Settings of the package manager, by path. */
  readonly files: Readonly<Record<string, string>>;
}

const yarn: ManagerFacts = {
  run: 'yarn run',
  exec: 'yarn',
  frozenInstall: 'yarn install --immutable',
  setup: ['- run: corepack enable'],
  isCached: true,
  containerInstall: 'corepack enable && yarn install',
  ignored: ['.yarn/'],
  manifest: {},
  files: {
    '.yarnrc.yml': '# The compiler reads types from node_modules.\nnodeLinker: node-modules\n',
  },
};

const managers: Readonly<Record<PackageManager, ManagerFacts>> = {
  npm: {
    run: 'npm run',
    exec: 'npx',
    frozenInstall: 'npm ci',
    setup: [],
    isCached: true,
    containerInstall: 'npm install',
    ignored: [],
    manifest: {},
    files: {},
  },
  pnpm: {
    run: 'pnpm run',
    exec: 'pnpm exec',
    frozenInstall: 'pnpm install --frozen-lockfile',
    setup: pnpmSetup('latest'),
    isCached: true,
    containerInstall: 'npm install --global pnpm && pnpm install',
    ignored: [],
    manifest: {},
    files: {},
  },
  yarn,
  bun: {
    run: 'bun run',
    exec: 'bunx',
    frozenInstall: 'bun install --frozen-lockfile',
    setup: ['- uses: oven-sh/setup-bun@v2'],
    isCached: false,
    containerInstall: 'npm install --global bun && bun install',
    ignored: [],
    manifest: {},
    files: {},
  },
};

const classicYarn: ManagerFacts = { ...yarn, frozenInstall: 'yarn install --frozen-lockfile', files: {} };

function pnpmSetup(version: string): readonly string[] {
  return ['- uses: pnpm/action-setup@v4', '  with:', `    version: ${version}`];
}

/** Returns the facts of the package manager of a project. */
export function managerOf({ packages = 'npm', packagesVersion }: ProjectManager): ManagerFacts {
  const facts = managers[packages];
  const [major] = packagesVersion?.split('.') ?? [];
  if (major === undefined) return facts;
  if (packages === 'pnpm') return { ...facts, setup: pnpmSetup(major) };
  return packages === 'yarn' && major === '1' ? classicYarn : facts;
}

/**
 * Returns the member `packageManager` of package.json: corepack installs yarn 1 without it. With it, pnpm
 * requires its own packages in the lock file.
 */
export function statedManager({ packages, packagesVersion }: ProjectManager): string | undefined {
  return packages === 'yarn' && packagesVersion !== undefined ? `yarn@${packagesVersion}` : undefined;
}
