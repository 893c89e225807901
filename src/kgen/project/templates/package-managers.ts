/** Commands and files of the package managers that projects may use. */
import type { PackageManager } from '../record.ts';

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
}

/** Facts of each package manager. */
export const managerFacts: Readonly<Record<PackageManager, ManagerFacts>> = {
  npm: {
    run: 'npm run',
    exec: 'npx',
    frozenInstall: 'npm ci',
    setup: [],
    isCached: true,
    containerInstall: 'npm install',
    ignored: [],
  },
  pnpm: {
    run: 'pnpm run',
    exec: 'pnpm exec',
    frozenInstall: 'pnpm install --frozen-lockfile',
    setup: ['- uses: pnpm/action-setup@v4', '  with:', '    version: 10'],
    isCached: true,
    containerInstall: 'npm install --global pnpm@10 && pnpm install',
    ignored: [],
  },
  yarn: {
    run: 'yarn run',
    exec: 'yarn',
    frozenInstall: 'yarn install --immutable',
    setup: ['- run: corepack enable'],
    isCached: true,
    containerInstall: 'corepack enable && yarn install',
    ignored: ['.yarn/'],
  },
  bun: {
    run: 'bun run',
    exec: 'bunx',
    frozenInstall: 'bun install --frozen-lockfile',
    setup: ['- uses: oven-sh/setup-bun@v2'],
    isCached: false,
    containerInstall: 'npm install --global bun && bun install',
    ignored: [],
  },
};
