/**
 * Whether the whole of `text` matches a glob: `*` any run, `?` any one UTF-16 unit, `\` takes the next character as it is.
 * Linear in practice and at worst the product of the lengths: it goes back to the last `*` only.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  let at = 0;
  let patternAt = 0;
  let starAt = -1;
  let resumeAt = 0;
  while (at < text.length) {
    const wanted = pattern[patternAt];
    if (wanted === '*') {
      starAt = patternAt++;
      resumeAt = at;
      continue;
    }
    const escaped = wanted === '\\' && patternAt + 1 < pattern.length;
    const literal = escaped ? pattern[patternAt + 1] : wanted;
    if (wanted !== undefined && ((wanted === '?' && !escaped) || literal === text[at])) {
      patternAt += escaped ? 2 : 1;
      at++;
      continue;
    }
    if (starAt === -1) return false;
    patternAt = starAt + 1;
    at = ++resumeAt;
  }
  while (pattern[patternAt] === '*') patternAt++;
  return patternAt === pattern.length;
}
