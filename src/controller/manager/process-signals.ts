/** Signals of the process that stop a manager. */

/** Signals of the kubelet, and of a terminal. */
const signals = ['SIGTERM', 'SIGINT'] as const;

/**
 * Calls `stop` for the first signal. A second one ends the process at once with the exit code 1. Returns a
 * function that removes the listeners.
 */
export function onProcessSignals(stop: (signal: string) => void): () => void {
  let count = 0;
  const listener = (signal: string): void => {
    count += 1;
    if (count > 1) process.exit(1);
    stop(signal);
  };
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}

/** Calls `write` for SIGUSR2; SIGUSR1 is that of the debugger. Returns a function that ends it. */
export function onRecordSignal(write: () => void): () => void {
  process.on('SIGUSR2', write);
  return () => process.off('SIGUSR2', write);
}
