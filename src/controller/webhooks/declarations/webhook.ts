/** Webhooks of any type, and their paths. */

import type { AdmissionWebhook } from './admission.ts';
import type { ConversionWebhook } from './conversion.ts';
import { type RegisteredDeclaration, subresourceOf } from './registered.ts';

/** A declared webhook. */
export type Webhook = AdmissionWebhook | ConversionWebhook;

/**
 * Returns the path at which the API server calls a webhook: `/defaults/GROUP/VERSION/PLURAL[/SUBRESOURCE]`,
 * `/validates/…` or `/convert/GROUP/PLURAL`. The core group is `core`.
 */
export function pathOf(webhook: RegisteredDeclaration): string {
  const { type, resource } = webhook;
  const group = resource.group || 'core';
  if (type === 'converts') return `/convert/${group}/${resource.plural}`;
  return ['', type, group, resource.version, resource.plural, ...subresourceOf(webhook)].join('/');
}
