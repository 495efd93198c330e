/**
 * `node compile.ts <folder of a TypeScript> <tsconfig.json>...`: compiles each with that version, in one process, so that
 * TypeScript and its own declarations are read once. Writes the errors, and exits 1 if there are any.
 */
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type typescript from 'typescript';

const [home = '', ...configs] = process.argv.slice(2);
const ts = createRequire(import.meta.url)(home) as typeof typescript;
const own = new Map<string, typescript.SourceFile | undefined>();

for (const config of configs) {
  for (const problem of compile(config)) {
    const text = ts.flattenDiagnosticMessageText(problem.messageText, ' ');
    console.log(`${basename(config)}: ${basename(problem.file?.fileName ?? '')}: ${text}`);
    process.exitCode = 1;
  }
}

function compile(config: string): readonly typescript.Diagnostic[] {
  const read = ts.readConfigFile(config, (file) => ts.sys.readFile(file));
  const parsed = ts.parseJsonConfigFileContent(read.config, ts.sys, dirname(config));
  const host = ts.createCompilerHost(parsed.options);
  const getSourceFile = host.getSourceFile.bind(host);
  host.getCurrentDirectory = () => dirname(config);
  host.getSourceFile = (file, ...rest) => {
    if (dirname(file) !== join(home, 'lib').replaceAll('\\', '/'))
      return getSourceFile(file, ...rest);
    if (!own.has(file)) own.set(file, getSourceFile(file, ...rest));
    return own.get(file);
  };
  const program = ts.createProgram(parsed.fileNames, parsed.options, host);
  return [...parsed.errors, ...ts.getPreEmitDiagnostics(program)];
}
