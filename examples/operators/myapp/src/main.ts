import { loadConfig } from '@kgen/runtime';
import { operator } from './operator.js';

/** Runs the operator until SIGTERM or SIGINT. */
async function main(): Promise<void> {
  await operator(await loadConfig()).run();
}

void main(); // An error ends the process.
