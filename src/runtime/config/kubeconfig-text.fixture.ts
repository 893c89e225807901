/** Kubeconfigs for tests. */
import { ConfigError } from '../api/errors.ts';
import type { ClusterConfig } from './types.ts';

/** Returns a string in the form of PEM. */
export const pem: (name: string) => string = (name) =>
  `-----BEGIN ${name}-----\nAA==\n-----END ${name}-----\n`;
export const base64: (text: string) => string = (text) => Buffer.from(text).toString('base64');

/** Lines to add to the entries of a kubeconfig. */
export interface Parts {
  readonly cluster?: string;
  readonly user?: string;
  readonly context?: string;
  readonly rest?: string;
}

/** Returns a kubeconfig with one entry of each kind, each with the lines of `Parts`. */
export function kubeconfig({
  cluster = '',
  user = '',
  context = '',
  rest = 'current-context: dev',
}: Parts = {}): string {
  const lines = (text: string): string => text.replaceAll(/^/gm, '    ');
  return `
apiVersion: v1
kind: Config
clusters:
- name: c1
  cluster:
    server: https://10.0.0.1:6443
${lines(cluster)}
users:
- name: u1
  user:
    token: t1
${lines(user)}
contexts:
- name: dev
  context:
    cluster: c1
    user: u1
${lines(context)}
${rest}
`;
}

/** Returns the message of the `ConfigError` that a promise rejects with. */
export async function problem(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => new Error('no problem'),
    (reason: unknown) => reason,
  );
  if (error instanceof ConfigError) return error.message;
  throw error;
}

/** The configuration that `kubeconfig()` describes. */
export const base: ClusterConfig = {
  server: 'https://10.0.0.1:6443',
  auth: { token: 't1' },
  namespace: 'default',
  context: 'dev',
};
