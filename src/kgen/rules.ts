/** Rules of API servers for the schemas of definitions, which need neither CEL nor a cluster. */

export { keywordObjections } from './rules/keywords.ts';
export { type Objection, type ObjectionReason, pathText } from './rules/places.ts';
export { type PatternProblem, schemaObjections, structuralObjections } from './rules/structural.ts';
