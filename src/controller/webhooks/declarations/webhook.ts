/** Webhooks of any type, and their paths. */

import type { AdmissionWebhook } from './admission.ts';
import type { ConversionWebhook } from './conversion.ts';
import { type RegisteredDeclaration, subresourceOf } from './registered.ts';

/** A declared webhook. */
export type Webhook = AdmissionWebhook | ConversionWebhook;

/**
 * Returns the path at which the API server calls a webhook:
 * `/defaults/GROUP/VERSION/PLURAL[/SUBRESOURCE][/NAME]`, `/validates/…` or `/convert/GROUP/PLURAL`. The core
 * group is `core`; NAME is the option `name`, which contains dots, unlike subresources.
 */
export function pathOf(webhook: RegisteredDeclaration): string {
  const { type, resource, options } = webhook;
  const group = resource.group || 'core';
  if (type === 'converts') return `/convert/${group}/${resource.plural}`;
  const name = 'name' in options ? options.name : undefined;
  const subject = [type, group, resource.version, resource.plural, ...subresourceOf(webhook)];
  return ['', ...subject, ...(name === undefined ? [] : [name])].join('/');
}
