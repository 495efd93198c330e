const BRAND_PREFIX = '@frontmcp/guard/error/';

interface ErrorClass {
  readonly prototype: Error;
}

/**
 * Marks an error class so that `instanceof` recognizes its instances from any copy of this package.
 *
 * Two copies of a package, or its ESM and its CJS build, hold two classes of one name. Both put the same registered
 * symbol on their prototype, and `hasBrand` looks for that symbol instead of for the prototype itself. Call it in a
 * static block of the class; it also sets `name`, which a minifier would otherwise change.
 *
 * @param name The public name of the class. One name is one kind of error in the whole process.
 */
export function brandError(errorClass: ErrorClass, name: string): void {
  Object.defineProperty(errorClass.prototype, 'name', {
    value: name,
    configurable: true,
    writable: true,
  });
  Object.defineProperty(errorClass.prototype, Symbol.for(BRAND_PREFIX + name), { value: name });
  brandOf.set(errorClass, Symbol.for(BRAND_PREFIX + name));
}

/** The brand of each class of this copy. A subclass without a brand of its own is not in it. */
const brandOf = new WeakMap<object, symbol>();

/**
 * Whether `value` carries the brand of `errorClass`; undefined when the class has no brand of its own, so that the caller
 * falls back to the prototype chain.
 */
export function hasBrand(errorClass: object, value: unknown): boolean | undefined {
  const brand = brandOf.get(errorClass);
  if (brand === undefined) return undefined;
  return typeof value === 'object' && value !== null && brand in value;
}
