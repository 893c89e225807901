// Builds an operator of examples/operators and runs it against the cluster of the current context.
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [name] = process.argv.slice(2);
const node = (args) => spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status;

if (node(['scripts/setup.mjs']) !== 0) process.exit(1);
if (node(['node_modules/typescript/bin/tsc', '-b', 'examples']) !== 0) process.exit(1);

const operator = `examples/dist/examples/operators/${name}/operator.js`;
const child = spawn(process.execPath, [operator], { cwd: root, stdio: 'inherit' });
// A terminal sends its signals to the operator too; other programs send them only to this process.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.on('exit', (status) => process.exit(status ?? 1));
