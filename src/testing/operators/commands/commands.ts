import type { TestingCommands } from 'kgen/commands';
import { replayCommand } from './replay.ts';
import { simulateCommand } from './simulate.ts';

/** Commands of `kgen` that run operators: `kgen` loads them from the project of the operator. */
export const commands: TestingCommands = { simulate: simulateCommand, replay: replayCommand };
