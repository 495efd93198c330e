import { readFileSync } from 'node:fs';
import ts from 'typescript';
import type { Citation } from './check-requirements.ts';

const cited = /\[([A-Z]+-\d{2,})\]/g;

/**
 * Finds `[RL-01]` in the titles of tests. Tables may hold titles too, so every string is searched;
 * a comment does not count, since it proves nothing.
 */
export function findCitations(files: readonly string[]): Citation[] {
  return files.flatMap((file) => citationsIn(file, readFileSync(file, 'utf8')));
}

export function citationsIn(file: string, text: string): Citation[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022);
  const citations: Citation[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || isLaterPart(node)) {
      const start = node.getStart(source);
      for (const match of text.slice(start, node.end).matchAll(cited)) {
        const { line } = source.getLineAndCharacterOfPosition(start + match.index);
        citations.push({ id: match[1] ?? '', place: `${file}:${line + 1}` });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return citations;
}

function isLaterPart(node: ts.Node): boolean {
  return ts.isTemplateMiddle(node) || ts.isTemplateTail(node);
}
