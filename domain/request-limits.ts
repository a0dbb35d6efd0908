/**
 * Limits of one request and of the problem that rejects it. Sizes are counted before anything is parsed or checked, so
 * that no request blocks the process: everything within these limits is checked within 50 ms of CPU time
 * (interpretation 36, docs/limits.md). Each field has the limit of its own text or list.
 */
export const REQUEST_LIMITS = {
  /** A JSON body, unpacked. */
  bodyBytes: 1_048_576,
  /** Objects and arrays inside each other. */
  bodyDepth: 32,
  /**
   * Members of all objects and arrays together; an empty one counts as one member. The largest document that clients send
   * back, a run of 500 tasks, has some 10,000.
   */
  bodyValues: 15_000,
  /** Parameters of a query string; the longest list of filters has 17. */
  queryParameters: 50,
  /** A query string as it was sent, with its escapes. */
  queryCharacters: 8_192,
  /** The boundary of a multipart form (RFC 2046 section 5.1.1). */
  boundaryCharacters: 70,
  /** What a multipart form holds besides its file: boundaries, headers, other fields. */
  formFrameBytes: 65_536,
  /** Violations that one answer lists; the others are counted. */
  reportedViolations: 100,
  /** A violation's path. Only names that the client made up are longer; they are cut. */
  propertyPathCharacters: 255,
} as const;
