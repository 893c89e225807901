/** Facts of a bundle: its settings, completed by package.json and by the operator. Pure. */
import { array, isObject, type Json, own, strings, text } from '@kgen/schema/values/json';
import { error, type InputProblem, quote } from '../../common/problems.ts';
import type { BundleSettings } from '../../config/bundle.ts';
import { versionPattern } from '../../config/bundle.ts';
import { wordsOf } from './descriptors.ts';

/** A picture of an operator. */
export interface BundleIcon {
  readonly base64data: string;
  readonly mediatype: string;
}

/** Settings that always have a value. */
type Always =
  | 'displayName'
  | 'description'
  | 'keywords'
  | 'capabilities'
  | 'maturity'
  | 'provider'
  | 'maintainers'
  | 'links'
  | 'installModes'
  | 'channels'
  | 'olm';

/** Complete settings. */
export type BundleFacts = Omit<BundleSettings, 'icon'> &
  Required<Pick<BundleSettings, Always>> & {
    /** Name of the operator and of its package. */
    readonly name: string;
    readonly version: string;
    readonly defaultChannel: string;
    readonly icon: BundleIcon;
    /** Address of the sources. */
    readonly repository?: string;
  };

/** Parts from which the facts follow. */
export interface FactSources {
  readonly name: string;
  readonly version: string;
  readonly settings: BundleSettings;
  /** Content of package.json. */
  readonly manifest: Json;
  readonly kinds: readonly string[];
  readonly icon?: BundleIcon | undefined;
}

/** Completes settings. */
export function bundleFacts({ name, version, settings, manifest, kinds, icon }: FactSources): BundleFacts {
  const isEarly = /^0\.|-/.test(version);
  const { displayName = wordsOf(name), channels = [isEarly ? 'candidate' : 'stable'] } = settings;
  const [description, homepage] = [text(manifest, 'description'), text(manifest, 'homepage')];
  const people = peopleOf(manifest);
  const repository = repositoryOf(manifest);
  const keywords = strings(manifest, 'keywords');
  const author = personOf(own(manifest, 'author'));
  const links = [
    ...(homepage === '' ? [] : [{ name: displayName, url: homepage }]),
    ...(repository === undefined ? [] : [{ name: 'Source code', url: repository }]),
  ];
  return {
    capabilities: 'Basic Install',
    maturity: isEarly ? 'alpha' : 'stable',
    installModes: ['AllNamespaces'],
    olm: 'v1',
    description: description === '' ? `Operator of ${[...new Set(kinds)].join(', ')}.` : description,
    keywords: keywords.length > 0 ? keywords : [...new Set(kinds)],
    provider: { name: author?.name ?? displayName, ...(author?.url !== undefined && { url: author.url }) },
    maintainers: people.flatMap(({ name: who, email }) =>
      email === undefined ? [] : [{ name: who, email }],
    ),
    links,
    ...(repository !== undefined && { repository }),
    defaultChannel: channels[0] ?? '',
    ...settings,
    ...{ name, version, displayName, channels },
    icon: icon ?? initialsIcon(name),
  };
}

/** Returns the name of the ClusterServiceVersion of a version. */
export function versionName({ name }: Pick<BundleFacts, 'name'>, version: string): string {
  return `${name}.v${version}`;
}

/** Returns the errors of the upgrade graph. */
export function graphProblems(facts: BundleFacts): readonly InputProblem[] {
  const { version, replaces, skips = [], channels, defaultChannel } = facts;
  if (!versionPattern.test(version)) {
    const what = `version ${quote(version)} must be a version such as 1.2.0 or 1.2.0-rc.1: set it in package.json, or use --version`;
    return [error(what)];
  }
  const own = `${quote(version)} is the version of the bundle: name an earlier one`;
  return [
    ...(versionName(facts, version).length > 63
      ? [
          error(
            `${versionName(facts, version)} is longer than 63 characters: shorten the name of the operator`,
          ),
        ]
      : []),
    ...(replaces !== undefined && replaces === version ? [error(`bundle.replaces: ${own}`)] : []),
    ...(skips.includes(version) ? [error(`bundle.skips: ${own}`)] : []),
    ...(replaces !== undefined && skips.includes(replaces)
      ? [
          error(
            `bundle.skips: ${quote(replaces)} is the version that the bundle replaces: remove it from one of them`,
          ),
        ]
      : []),
    ...(channels.includes(defaultChannel)
      ? []
      : [
          error(
            `bundle.defaultChannel: ${quote(defaultChannel)} is not one of the channels ${channels.join(', ')}`,
          ),
        ]),
  ];
}

interface Person {
  readonly name: string;
  readonly email?: string;
  readonly url?: string;
}

/** Reads a person of package.json: an object, or `Name <email> (url)`. */
function personOf(value: Json | undefined): Person | undefined {
  const [, parsedName = '', parsedEmail = '', parsedUrl = ''] =
    typeof value === 'string' ? (/^([^<(]*)(?:<([^>]*)>)?\s*(?:\(([^)]*)\))?/.exec(value) ?? []) : [];
  const name = isObject(value) ? text(value, 'name') : parsedName.trim();
  const email = isObject(value) ? text(value, 'email') : parsedEmail;
  const url = isObject(value) ? text(value, 'url') : parsedUrl;
  if (name === '') return undefined;
  return { name, ...(email !== '' && { email }), ...(/^https?:\/\/\S+$/.test(url) && { url }) };
}

function peopleOf(manifest: Json): readonly Person[] {
  const all = [
    own(manifest, 'author'),
    ...array(manifest, 'maintainers'),
    ...array(manifest, 'contributors'),
  ];
  const people = all.flatMap((each) => personOf(each) ?? []);
  return [...new Map(people.map((person) => [person.email ?? person.name, person])).values()];
}

/** Returns the address of the repository of package.json for browsers. */
function repositoryOf(manifest: Json): string | undefined {
  const value = own(manifest, 'repository');
  const stated = isObject(value) ? text(value, 'url') : typeof value === 'string' ? value : '';
  const short = /^(?:github:)?([\w.-]+\/[\w.-]+)$/.exec(stated)?.[1];
  const url = short === undefined ? stated.replace(/^git\+|\.git$/g, '') : `https://github.com/${short}`;
  const plain = url.replace(/^(?:ssh:\/\/)?git@([^:/]+)[:/]/, 'https://$1/');
  return /^https?:\/\/\S+$/.test(plain) ? plain : undefined;
}

/** Returns a picture with the initials of a name. */
function initialsIcon(name: string): BundleIcon {
  const initials = name.split('-').map((part) => part.charAt(0).toUpperCase());
  const hue = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 0);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="12" fill="hsl(${hue},45%,40%)"/><text x="32" y="42" font-family="sans-serif" font-size="28" text-anchor="middle" fill="#fff">${initials.slice(0, 2).join('')}</text></svg>\n`;
  return { base64data: Buffer.from(svg).toString('base64'), mediatype: 'image/svg+xml' };
}

/** Media types of icons, by the extension of the file. */
export const iconTypes: Readonly<Record<string, string>> = {
  ...{ '.svg': 'image/svg+xml', '.png': 'image/png', '.gif': 'image/gif' },
  ...{ '.jpg': 'image/jpeg', '.jpeg': 'image/jpeg' },
};
