/** Browsers and systems by what stands in a `User-Agent`, those first whose sign others carry too. */
const BROWSERS = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*Safari\//, 'Safari'],
] as const;
const SYSTEMS = [
  [/\bAndroid\b/, 'Android'],
  [/\biPad\b/, 'iPad'],
  [/\biPhone\b/, 'iPhone'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

const SHOWN_CHARACTERS = 60;

/** A program as a person knows it, `Firefox, Windows`; another one as it names itself, and empty where it does not. */
export function programName(userAgent: string | undefined): string {
  const text = userAgent ?? '';
  const known = [BROWSERS, SYSTEMS].flatMap((table) => table.find(([sign]) => sign.test(text))?.[1] ?? []);
  return known.length === 0 ? text.slice(0, SHOWN_CHARACTERS) : known.join(', ');
}
