/** Ports, a token and a function of `kgen run` and `kgen dev`, for one of several operators on a machine. */

/** Returns the port in a variable of the environment; `undefined` for processes that others have started. */
export function localPort(variable: 'KGEN_RECONCILES' | 'KGEN_WEBHOOK_PORT'): number | undefined {
  const { [variable]: port = '' } = process.env;
  return port === '' ? undefined : Number(port);
}

/** Returns the token of the recording that the page of the command shows; `undefined` without a page. */
export function localToken(): string | undefined {
  const { KGEN_RECORDING_TOKEN: token = '' } = process.env;
  return token === '' ? undefined : token;
}

/** Name of the function that `kgen dev` and `kgen run` define in the process of an operator. */
const callSiteName = Symbol.for('kgen.callSite');

/** Returns the line of the program that calls; `undefined` in processes that others have started. */
export function callSite(): string | undefined {
  const find: unknown = Reflect.get(globalThis, callSiteName);
  const site: unknown = typeof find === 'function' ? find() : undefined;
  return typeof site === 'string' && site !== '' ? site : undefined;
}
