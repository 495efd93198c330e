/**
 * In which form a response says what is left of its limits.
 *
 * - `draft`: `RateLimit-Policy` and `RateLimit` of the newest draft of the IETF (draft-ietf-httpapi-ratelimit-headers-10): all limits, slots too.
 * - `draft-8`: the same two fields with the space after each semicolon that express-rate-limit writes, for clients that compare text.
 * - `draft-7`: `RateLimit-Policy: 100;w=60` and `RateLimit: limit=100, remaining=9, reset=30`.
 * - `draft-6`: `RateLimit-Policy`, `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset`.
 * - `x-ratelimit`: `X-RateLimit-Limit`, `-Remaining` and `-Reset`, which is a number of seconds from now.
 * - `x-ratelimit-epoch`: the same, but `-Reset` is a time in seconds since 1970.
 */
export type HeaderStyle =
  'draft' | 'draft-8' | 'draft-7' | 'draft-6' | 'x-ratelimit' | 'x-ratelimit-epoch';
