/** Ports that `kgen run` and `kgen dev` choose, since several operators may run on one machine. */

/** Returns the port in a variable of the environment; `undefined` for processes that others have started. */
export function localPort(variable: 'KGEN_RECONCILES' | 'KGEN_WEBHOOK_PORT'): number | undefined {
  const { [variable]: port = '' } = process.env;
  return port === '' ? undefined : Number(port);
}
