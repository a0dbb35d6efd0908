// The package types its CommonJS entry as if it had a default export; its ES module file really has one.
declare module 'bidi-js/dist/bidi.mjs' {
  import type { Bidi } from 'bidi-js';

  export default function bidiFactory(): Bidi;
}
