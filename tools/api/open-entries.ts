import { join } from 'node:path';

import { CompilerState, ExtractorConfig, type IConfigFile } from '@microsoft/api-extractor';

import type { Entry } from './entry.ts';

/** What the extractor needs to look at entries: a configuration each, and one compiler for all. */
export interface OpenEntries {
  readonly configs: readonly (readonly [Entry, ExtractorConfig])[];
  readonly state: CompilerState;
}

const COMPILER_OPTIONS = {
  target: 'ES2022',
  lib: ['ES2022', 'ESNext.Disposable', 'DOM', 'DOM.Iterable'],
  module: 'nodenext',
  moduleResolution: 'nodenext',
  strict: true,
  skipLibCheck: true,
  types: ['node'],
};

/** @param folders Where reports are kept, and where new ones are written to be compared with them. */
export function openEntries(
  entries: readonly Entry[],
  folders: { readonly kept: string; readonly fresh: string },
): OpenEntries {
  const configs = entries.map((entry) => {
    const configObject = configOf(entry, folders.kept, folders.fresh);
    const packageJsonFullPath = join(entry.folder, 'package.json');
    const options = { configObject, configObjectFullPath: undefined, packageJsonFullPath };
    return [entry, ExtractorConfig.prepare(options)] as const;
  });
  const [first] = configs;
  if (first === undefined) throw new Error('There is no entry to look at');
  const additionalEntryPoints = entries.map(({ types }) => types);
  return { configs, state: CompilerState.create(first[1], { additionalEntryPoints }) };
}

function configOf(entry: Entry, kept: string, fresh: string): IConfigFile {
  return {
    projectFolder: entry.folder,
    mainEntryPointFilePath: entry.types,
    newlineKind: 'lf',
    compiler: {
      overrideTsconfig: { compilerOptions: COMPILER_OPTIONS, files: [entry.types] },
    },
    apiReport: {
      enabled: true,
      reportFileName: entry.report,
      reportFolder: kept,
      reportTempFolder: fresh,
      // What a signature names is a part of it, whether it can be imported or not.
      includeForgottenExports: true,
    },
    docModel: { enabled: false },
    dtsRollup: { enabled: false },
    tsdocMetadata: { enabled: false },
    messages: {
      compilerMessageReporting: { default: { logLevel: 'error' } as never },
      extractorMessageReporting: {
        default: { logLevel: 'error' as never },
        // Everything that is exported is public.
        'ae-missing-release-tag': { logLevel: 'none' as never },
        'ae-forgotten-export': { logLevel: 'none' as never },
        // See find-undocumented.ts, which also takes the comment of an implemented interface.
        'ae-undocumented': { logLevel: 'none' as never },
      },
      tsdocMessageReporting: {
        default: { logLevel: 'error' as never },
        'tsdoc-param-tag-missing-hyphen': { logLevel: 'none' as never },
      },
    },
  };
}
