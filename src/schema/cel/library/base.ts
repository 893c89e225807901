/**
 * Functions of Kubernetes' expressions, with the release in which they appeared: URLs, regex and lists
 * (1.25), optional values and quantities (1.28), strings 2 and sets (1.29), IP and CIDR (1.30), formats
 * (1.31), two-variable loops (1.32), versions (1.33), lists 3 (1.34).
 */
import { combine, type Functions } from '../environment.ts';
import { arithmetic } from './arithmetic.ts';
import { conversions } from './conversions.ts';
import { namedFormats } from './kubernetes/formats.ts';
import { lists } from './kubernetes/lists.ts';
import { network } from './kubernetes/network.ts';
import { quantities } from './kubernetes/quantities.ts';
import { urls } from './kubernetes/urls.ts';
import { versions } from './kubernetes/versions.ts';
import { optionals } from './optionals.ts';
import { relations } from './relations.ts';
import { sets } from './sets.ts';
import { strings } from './strings.ts';
import { times } from './times.ts';

/** All functions besides those of authorization. */
export const baseFunctions: Functions = combine([
  relations,
  arithmetic,
  conversions,
  strings,
  times,
  lists,
  sets,
  optionals,
  urls,
  quantities,
  network,
  namedFormats,
  versions,
]);
