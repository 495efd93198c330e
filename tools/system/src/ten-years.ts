/** A window whose edge no test meets. */
export const TEN_YEARS_MS: number = 10 * 365 * 86_400_000;
