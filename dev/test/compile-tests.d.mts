export const COMPILED_FOLDER: string;
export function compileTests(): Promise<void>;
