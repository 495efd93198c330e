import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Application, Converter, ReflectionKind, type TypeDocOptions } from 'typedoc';
import type { PluginOptions } from 'typedoc-plugin-markdown';
import { findEntryPoints } from './entry-points.ts';
import { listReExports } from './list-re-exports.ts';

/**
 * Writes the reference from the doc comments into the folder, a page for each entry point of a package.
 *
 * @throws {Error} When a link in a comment leads nowhere, or there is any other warning: they are printed.
 */
export async function buildApi(folder: string): Promise<void> {
  const entryPoints = findEntryPoints();
  const options: TypeDocOptions & PluginOptions = {
    plugin: ['typedoc-plugin-markdown'],
    entryPoints: entryPoints.map(({ file }) => file),
    tsconfig: 'tsconfig.json',
    skipErrorChecking: true,
    name: 'API reference',
    readme: 'none',
    disableGit: true,
    disableSources: true,
    excludeInternal: true,
    excludePrivate: true,
    excludeExternals: true,
    outputs: [{ name: 'markdown', path: folder }],
    router: 'module',
    entryFileName: 'index',
    excludeScopesInPaths: true,
    flattenOutputFiles: true,
    hidePageHeader: true,
    hideBreadcrumbs: true,
    pageTitleTemplates: { module: ({ name }: { name: string }) => name },
    expandParameters: true,
    parametersFormat: 'table',
    interfacePropertiesFormat: 'table',
    classPropertiesFormat: 'table',
    typeAliasPropertiesFormat: 'table',
    typeDeclarationFormat: 'table',
    tableColumnSettings: { hideModifiers: true, hideInherited: true, hideOverrides: true },
    formatWithPrettier: false,
    sanitizeComments: true,
    useHTMLAnchors: true,
    useCodeBlocks: true,
    sort: ['source-order'],
    validation: { invalidLink: true, notExported: false, notDocumented: false },
    treatWarningsAsErrors: true,
    treatValidationWarningsAsErrors: true,
  };
  const app = await Application.bootstrapWithPlugins(options);
  const names = new Map(entryPoints.map(({ name, file }) => [resolve(file), name]));
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (context, reflection) => {
    if (!reflection.kindOf(ReflectionKind.Module)) return;
    const file = context.getSymbolFromReflection(reflection)?.declarations?.[0];
    reflection.name = names.get(file?.getSourceFile().fileName ?? '') ?? reflection.name;
  });
  const project = await app.convert();
  if (project === undefined) throw new Error('Cannot build the API reference: no project');
  app.validate(project);
  await app.generateOutputs(project);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) {
    throw new Error('Cannot build the API reference: see the warnings above');
  }
  for (const file of globSync(join(folder, '*.md'))) {
    writeFileSync(file, listReExports(readFileSync(file, 'utf8')));
  }
}
