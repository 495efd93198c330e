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
        this.#exact.set(key, key).set(normalized(key), key);
        continue;
      }
      const template = UriTemplate.parse(key);
      if (template === undefined) {
        throw new GuardConfigError(
          `Cannot read the URI template "${key}" in resources: only {variable} and {+variable} are known`,
        );
      }
      this.#templates.push({ key, template });
    }
  }

  /**
   * The key that is the URI, else the first template that it matches. A URI that the SDK would read as another, because it is
   * written in another way, is taken for that.
   */
  find(uri: unknown): string | undefined {
    if (typeof uri !== 'string') return undefined;
    const forms = [normalized(uri), uri];
    for (const form of forms) {
      const exact = this.#exact.get(form);
      if (exact !== undefined) return exact;
    }
    return this.#templates.find(({ template }) => forms.some((form) => template.matches(form)))
      ?.key;
  }
}

function normalized(uri: string): string {
  return URL.canParse(uri) ? new URL(uri).href : uri;
}
