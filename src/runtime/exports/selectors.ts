/** Parses, prints and matches label and field selectors. */

export { fieldRequirementsText, fieldSelectorText } from '../selectors/fields.ts';
export { labelKeyProblem, labelValueProblem, subdomainProblem } from '../selectors/label-syntax.ts';
export { labelRequirementsText, labelSelectorText } from '../selectors/labels.ts';
export { fieldRequirements, matchFields } from '../selectors/match-fields.ts';
export type { LabelSet } from '../selectors/match-labels.ts';
export { labelRequirements, matchLabels } from '../selectors/match-labels.ts';
export type { FieldRequirement } from '../selectors/parse-fields.ts';
export { parseFieldSelector } from '../selectors/parse-fields.ts';
export type { LabelRequirement } from '../selectors/parse-labels.ts';
export { parseLabelSelector } from '../selectors/parse-labels.ts';
