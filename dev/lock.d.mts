export function takeLock(
  name: string,
  onHeld: (answer: string) => void,
  answer?: () => string,
): Promise<() => void>;
