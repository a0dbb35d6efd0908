const NAME = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/;

/** Whether a text names an IANA time zone that this Node knows, such as Europe/Paris; an offset like +01:00 is none. */
export function isTimezone(text: string): boolean {
  if (!NAME.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}
