/** Converts programs on @kubernetes/client-node to programs on kgen. */
import type { ts } from 'ts-morph';
import type { Remark } from '../rewriting.ts';
import { annotatePatch, convertApiCall, convertResponse } from './calls/calls.ts';
import { planMiddleware } from './calls/middleware.ts';
import {
  addVersion,
  convertCustom,
  convertFunctions,
  convertObjects,
  planObjects,
  planTop,
} from './calls/objects.ts';
import { convertConfig } from './configs/clients.ts';
import { addClientset, planConfigs } from './configs/plan.ts';
import { Conversion, type Rule, withoutRemoved } from './state/conversion.ts';
import {
  convertCommonJs,
  convertImport,
  importsLibrary,
  reportModule,
  withImports,
} from './state/modules.ts';
import { convertInformer, planInformers } from './streams/informers.ts';
import { convertCopy, convertStatus, convertStream, planQueues } from './streams/sessions.ts';
import { convertParameter, planUnused } from './streams/statements.ts';
import { convertWatch, reportWatch } from './streams/watches.ts';
import { convertError, convertModel, convertName, convertType, reportDate } from './types.ts';

/** A converted file. */
export interface Converted {
  readonly text: string;
  readonly changes: readonly Remark[];
  /** Places that must be changed by hand; each has a comment in the text. */
  readonly problems: readonly Remark[];
}

const rules: readonly Rule[] = [
  convertImport,
  reportModule,
  convertCommonJs,
  addClientset,
  convertWatch,
  reportWatch,
  convertStream,
  convertCopy,
  convertStatus,
  convertInformer,
  convertObjects,
  convertCustom,
  convertFunctions,
  convertConfig,
  convertResponse,
  annotatePatch,
  convertApiCall,
  convertModel,
  addVersion,
  convertParameter,
  convertError,
  reportDate,
  convertType,
  convertName,
];

/** Look at the whole file first; later ones depend on statements that earlier ones leave out. */
const plans = [planMiddleware, planConfigs, planQueues, planInformers, planObjects, planTop, planUnused];

/** Returns the conversion of a file; `undefined` if it does not import client-node. */
export function convertClientNode(source: ts.SourceFile, checker: ts.TypeChecker): Converted | undefined {
  if (!importsLibrary(source)) return undefined;
  const conversion = new Conversion(source, checker, rules);
  for (const plan of plans) plan(conversion);
  const start = source.text.slice(0, source.getStart());
  const end = source.text.slice(source.endOfFileToken.getStart());
  const body = conversion.renderChildren(source);
  const text = withImports(conversion, withoutRemoved(body));
  return {
    text: start + text + (text.endsWith('\n') ? '' : end),
    changes: conversion.changes,
    problems: conversion.problems,
  };
}
