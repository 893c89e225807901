import { startTestServer } from '@kgen/testserver';
import { describe } from 'vitest';
import { useServer } from './env.ts';
import { connectionsAreClosed, everywhere, timeout } from './suite.ts';

describe('resources that are named at run time, in memory', { timeout }, () => {
  everywhere(useServer(startTestServer));
});

connectionsAreClosed();
