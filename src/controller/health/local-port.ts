/** Ports and a token that `kgen run` and `kgen dev` choose for one of several operators on a machine. */

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
