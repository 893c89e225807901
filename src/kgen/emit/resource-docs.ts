/** What comments say of a resource. */
import type { Resource } from '../model/ir.ts';
import { comment, type Tag } from './docs.ts';
import type { ResourceContext } from './scope.ts';

/** A comment of one sentence above a declaration. */
export function sentence(text: string, context?: ResourceContext): string {
  return comment([text], context === undefined ? [] : tags(context), '');
}

/** A version may be deprecated without a word that may be shown; then the text is what servers say. */
export function tags({ groupVersion, resource, output }: ResourceContext): readonly Tag[] {
  const { deprecated, kind } = resource;
  if (deprecated === undefined) return [];
  const authored = output.options.docs === 'facts' ? '' : deprecated;
  return [{ name: 'deprecated', text: authored || `${groupVersion.apiVersion} ${kind} is deprecated` }];
}

/** ` (kubectl: ma)` for a resource with short names. */
export function nick(resource: Resource): string {
  const names = resource.shortNames.map((name) => `\`${name}\``).join(', ');
  return names === '' ? '' : ` (kubectl: ${names})`;
}

/** The path of the collection. */
export function path({ groupVersion, resource }: ResourceContext): string {
  const base = groupVersion.group === '' ? '/api' : '/apis';
  return `${base}/${groupVersion.apiVersion}/${resource.scope === 'Namespaced' ? 'namespaces/{namespace}/' : ''}${resource.plural}`;
}

/** The columns as one paragraph, which is a list. */
export function columnsText({ printerColumns }: Resource): readonly string[] {
  const lines = printerColumns.map(({ name, type, description }) => {
    const line = `- \`${name}\` (${type})${description === undefined ? '' : `: ${description}`}`;
    return line.trim().replace(/\s+/g, ' ');
  });
  return lines.length === 0 ? [] : [['kubectl prints, beside the name:', ...lines].join('\n')];
}
