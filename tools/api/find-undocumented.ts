import ts from 'typescript';

/**
 * Names what an entry exports, and the members of its classes and interfaces, that have no comment: none that an
 * editor would show, so that one of an implemented interface counts. The names of the language,
 * like `[Symbol.asyncDispose]`, need none, and a constructor has that of its class.
 */
export function findUndocumented(program: ts.Program, file: string): string[] {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`Cannot find exports in ${file}`);
  const exported = checker.getExportsOfModule(module).map((symbol) => ({
    name: symbol.name,
    symbol: symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
  }));
  return exported.flatMap(({ name, symbol }) => [
    ...(isDocumented(symbol, checker) ? [] : [name]),
    ...membersOf(symbol)
      .filter((member) => !isDocumented(member, checker))
      .map((member) => `${name}.${member.name}`),
  ]);
}

function membersOf(symbol: ts.Symbol): ts.Symbol[] {
  if (!(symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface))) return [];
  const statics = symbol.flags & ts.SymbolFlags.Class ? [...(symbol.exports?.values() ?? [])] : [];
  return [...(symbol.members?.values() ?? []), ...statics].filter(needsComment);
}

function needsComment({ flags, declarations = [] }: ts.Symbol): boolean {
  const { TypeParameter, Prototype, Constructor } = ts.SymbolFlags;
  if (flags & (TypeParameter | Prototype | Constructor)) return false;
  return declarations.some((declaration) => {
    if (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Private) return false;
    const name = ts.getNameOfDeclaration(declaration);
    return name === undefined || !(ts.isPrivateIdentifier(name) || ts.isComputedPropertyName(name));
  });
}

function isDocumented(symbol: ts.Symbol, checker: ts.TypeChecker): boolean {
  return ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim() !== '';
}
