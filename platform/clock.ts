/** Tells the time. Injected wherever it matters, so that tests choose it. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();
