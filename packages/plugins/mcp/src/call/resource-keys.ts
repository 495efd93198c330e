import { GuardConfigError } from '@frontmcp/guard-core';

import { UriTemplate } from './uri-template.js';

/** Finds the key of the `resources` option that a URI falls under. */
export class ResourceKeys {
  readonly #exact = new Map<string, string>();
  readonly #templates: { readonly key: string; readonly template: UriTemplate }[] = [];

  /** @throws GuardConfigError for a key with braces that is no template that can be matched. */
  constructor(keys: readonly string[]) {
    for (const key of keys) {
      if (!/[{}]/.test(key)) {
        this.#exact.set(normalized(key), key);
        continue;
      }
      const template = UriTemplate.parse(normalizedTemplate(key));
      if (template === undefined) {
        throw new GuardConfigError(
          `Cannot read the URI template "${key}" in resources: only {variable} and {+variable} are known`,
        );
      }
      this.#templates.push({ key, template });
    }
  }

  /**
   * The key that is the URI, else the first template that it matches. A URI is what the SDK reads it as, and never what it is
   * written as: `docs://x/public/../private/1` is nothing public.
   */
  find(uri: unknown): string | undefined {
    if (typeof uri !== 'string') return undefined;
    const read = normalized(uri);
    return (
      this.#exact.get(read) ?? this.#templates.find(({ template }) => template.matches(read))?.key
    );
  }
}

function normalized(uri: string): string {
  return URL.canParse(uri) ? new URL(uri).href : uri;
}

/** A template whose text is as in a URI that is {@link normalized}. */
function normalizedTemplate(template: string): string {
  const expressions: string[] = [];
  const uri = template.replace(/\{[^{}]*\}/g, (expression) => {
    expressions.push(expression);
    return `guardvariable${expressions.length - 1}x`;
  });
  return normalized(uri).replace(
    /guardvariable(\d+)x/g,
    (text, index) => expressions[Number(index)] ?? text,
  );
}
