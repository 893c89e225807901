/** Contexts that commands print, and refuse if the project protects them. Pure. */
import type { ClusterConfig } from '@kgen/runtime';
import { Refusal } from '../../cluster/refusal.ts';
import { quote } from '../../common/problems.ts';

/** Returns the line with which every command of clusters begins. */
export function contextText({ context, server }: ClusterConfig): string {
  return `context ${context ?? '(none)'}: ${server}`;
}

/** @throws {Refusal} the context is protected */
export function checkProtected(
  { context = '' }: Pick<ClusterConfig, 'context'>,
  protect: readonly string[] = [],
): void {
  const matches = (pattern: string): boolean => {
    const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${parts.join('.*')}$`).test(context);
  };
  if (!protect.some(matches)) return;
  throw new Refusal(
    `the context ${quote(context)} is protected by kgen.config: choose another with --context, or remove it from protect`,
  );
}
