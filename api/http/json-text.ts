import { ProblemError } from '../../domain/problem.ts';
import { REQUEST_LIMITS } from '../../domain/request-limits.ts';
import { isJsonObject } from '../schema/json-schema.ts';
import type { JsonSchema } from '../schema/schema.ts';

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** A text without this has no key `__proto__`, however it is escaped. */
const MAY_HOLD_PROTOTYPE = /__proto__|\\u00/;

/**
 * Reads the JSON object that a body has to be. What is in it is counted in the text, before anything is made of it. Throws
 * Refusals: 413 for too many values, 400 for too deep a nesting, a key `__proto__`, and text that is not a JSON object.
 */
export function readJsonObject(text: string): JsonSchema {
  checkExtent(text);
  const value = parsed(text);
  if (!isJsonObject(value)) throw malformed('The body must be a JSON object.');
  // A checker that copies objects would change the prototype of the copy, or lose the key and with it an error.
  if (MAY_HOLD_PROTOTYPE.test(text) && hasPrototypeKey(value))
    throw malformed('The key __proto__ is not allowed; remove it.');
  return value;
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    throw malformed('The body must be a JSON object.');
  }
}

/** Every member of an object or array but the first follows a comma; an opening bracket counts for the first. */
function checkExtent(text: string): void {
  const { bodyDepth, bodyValues } = REQUEST_LIMITS;
  let values = 0;
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    switch (text.charCodeAt(index)) {
      case QUOTE:
        index = endOfString(text, index);
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        depth += 1;
        values += 1;
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth -= 1;
        break;
      case COMMA:
        values += 1;
        break;
    }
    if (depth > bodyDepth) throw malformed(`The body is nested deeper than ${bodyDepth} levels.`);
    if (values > bodyValues) {
      const detail = `The body has more than ${bodyValues} values; send fewer in one request.`;
      throw new ProblemError({ kind: 'too_large', detail });
    }
  }
}

/** The place of the quotation mark that ends the string which begins at `start`; the text's end where there is none. */
function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text.charCodeAt(index) !== QUOTE) {
    index += text.charCodeAt(index) === BACKSLASH ? 2 : 1;
  }
  return index;
}

function hasPrototypeKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasPrototypeKey);
}

function malformed(detail: string): ProblemError {
  return new ProblemError({ kind: 'malformed', detail });
}
