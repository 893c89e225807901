/** Parts of comments that describe a resource. */

import { capitalise } from '../../common/words.ts';
import type { Resource } from '../../model/ir.ts';
import { comment, type Tag } from '../text/docs.ts';
import type { ResourceContext } from './scope.ts';

/** Returns a comment of one sentence above a declaration. */
export function sentence(text: string, context?: ResourceContext): string {
  return comment([text], context === undefined ? [] : tags(context), '');
}

/**
 * A version may be deprecated without a message that may be published. Then the tag has the default message
 * of API servers.
 */
export function tags({ groupVersion, resource, output }: ResourceContext): readonly Tag[] {
  const { deprecated, kind } = resource;
  if (deprecated === undefined) return [];
  const authored = output.options.docs === 'facts' ? '' : deprecated;
  return [{ name: 'deprecated', text: authored || `${groupVersion.apiVersion} ${kind} is deprecated` }];
}

/** Returns ` (kubectl: ma)` for a resource with short names. */
export function nick(resource: Resource): string {
  const names = resource.shortNames.map((name) => `\`${name}\``).join(', ');
  return names === '' ? '' : ` (kubectl: ${names})`;
}

/** Returns the plural of a kind as comments spell it, such as `ConfigMaps`. */
export function kindPlural({ accessor }: Resource['names']): string {
  return capitalise(accessor);
}

/** Returns the path of the collection. */
export function path({ groupVersion, resource }: ResourceContext): string {
  const base = groupVersion.group === '' ? '/api' : '/apis';
  return `${base}/${groupVersion.apiVersion}/${resource.scope === 'Namespaced' ? 'namespaces/{namespace}/' : ''}${resource.plural}`;
}

/** Returns the printer columns as one paragraph with a list. */
export function columnsText({ printerColumns }: Resource): readonly string[] {
  const lines = printerColumns.map(({ name, type, description }) => {
    const line = `- \`${name}\` (${type})${description === undefined ? '' : `: ${description}`}`;
    return line.trim().replace(/\s+/g, ' ');
  });
  return lines.length === 0 ? [] : [['Printer columns besides the name:', ...lines].join('\n')];
}
