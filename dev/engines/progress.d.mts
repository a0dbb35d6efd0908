/** Where the commands write what they are doing: one line per call. */
export type Say = (line: string) => void;
export const say: Say;
export function withProgress<T>(name: string, work: () => Promise<T>, usuallySeconds?: number): Promise<T>;
