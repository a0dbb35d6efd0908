import { createContext } from 'react';

/** Tells the dialog around a field that something was chosen in it, where the browser has no input event for that. */
export const NoteTyped = createContext<() => void>(() => undefined);
