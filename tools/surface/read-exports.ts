import ts from 'typescript';

/**
 * Lists what an entry file exports, types included, each as it is written: `Name` or `type Name`.
 * An entry is a table of contents, so anything in it but named exports from elsewhere is refused.
 */
export function readExports(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022);
  const names = source.statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement)) throw new Error(problem(source, statement));
    const { exportClause, moduleSpecifier, isTypeOnly } = statement;
    if (exportClause === undefined || !ts.isNamedExports(exportClause)) {
      throw new Error(problem(source, statement));
    }
    if (exportClause.elements.length > 0 && moduleSpecifier === undefined) {
      throw new Error(problem(source, statement));
    }
    return exportClause.elements.map((element) => {
      return isTypeOnly || element.isTypeOnly ? `type ${element.name.text}` : element.name.text;
    });
  });
  return names.sort();
}

function problem(source: ts.SourceFile, statement: ts.Statement): string {
  const { line } = source.getLineAndCharacterOfPosition(statement.getStart(source));
  return `${source.fileName}:${line + 1}: An entry holds named exports from elsewhere only`;
}
