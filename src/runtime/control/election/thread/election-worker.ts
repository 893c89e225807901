/** Entry point of the worker thread that renews a lease. */
import { runElectionWorker } from './run-worker.ts';

runElectionWorker();
