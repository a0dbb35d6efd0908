/** Tells the time. Injected wherever it matters, so that tests choose it. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

/** Does work after some time. Injected likewise. */
export type Later = (work: () => void, ms: number) => void;

export const systemLater: Later = (work, ms) => void setTimeout(work, ms);
