/** Express 4 has no types of its own; those of Express 5 do for what is tested. */
declare module 'express4' {
  export { default } from 'express';
}
