import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { disown } from '../../../common/callbacks.ts';
import { systemEnvironment } from '../../../common/clock.ts';
import { readTogether } from '../../../config/used-tls.ts';
import { RESTClient } from '../../../rest/client.ts';
import { ElectionDriver, type ElectionReport } from '../election-driver.ts';
import { leaseClient } from '../lease-client.ts';
import { LeaseValidity, systemClocks } from '../lease-validity.ts';
import { portableError } from './portable-error.ts';
import { beatMs, isWorkerStart, type WorkerEnd, type WorkerReport } from './worker-protocol.ts';

/**
 * Renews the lease of a `LeaderElector` in a worker thread. A module of a program that calls it is passed as
 * `workerFile`; the one of this package is `@kgen/runtime/election-worker`.
 * @throws {TypeError} in a thread that no `LeaderElector` started
 */
export function runElectionWorker(): void {
  const start: unknown = workerData;
  if (isMainThread || parentPort === null || !isWorkerStart(start)) {
    throw new TypeError(
      'runElectionWorker must be called in a worker thread of a LeaderElector: pass the URL of the module as workerFile',
    );
  }
  const port = parentPort;
  const { settings, memory, config, together, userAgent } = start;
  if (together) readTogether(config);
  const rest = new RESTClient(config, { userAgent, encoding: 'json' });
  const validity = new LeaseValidity(systemClocks, settings.renewDeadlineMs, memory);
  const election = new ElectionDriver({
    leases: leaseClient(rest, settings),
    target: settings,
    timing: settings,
    validity,
    clocks: systemClocks,
    environment: systemEnvironment,
    report: (report) => {
      port.postMessage(portable(report));
      if (report.type === 'ended') finish();
    },
  });
  const blockedTimer = setInterval(() => {
    if (validity.silentMs() <= settings.blockedLimitMs) return;
    // The fence is closed before another process can lead.
    validity.end('blocked');
    election.end('blocked', true);
  }, beatMs(settings));
  const finish = (): void => {
    clearInterval(blockedTimer);
    port.close();
    disown(rest.close());
  };
  port.on('message', ({ release }: WorkerEnd) => election.end('stopped', release));
  election.start();
}

function portable(report: ElectionReport): WorkerReport {
  return report.type === 'failed' ? { type: 'failed', error: portableError(report.error) } : report;
}
