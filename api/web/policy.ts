import type { ApiConfig } from '../../platform/config.ts';

/**
 * Styles that react-aria puts into the page: it has no file for them, so the policy names their digests. A browser's test that
 * fails on any report of the policy finds a digest that a new version changed.
 */
const STYLE_DIGESTS = [
  "'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o='",
  "'sha256-gYiS/BvZvRcK27JIXTuwhZ3hs2+VJ1X+2gUlE+farlg='",
];

/** What the console does not need; a script that got in through a package does not get it either. */
const DENIED_FEATURES = ['camera', 'microphone', 'geolocation', 'payment', 'usb', 'serial'];

/** The headers of every file of the console, next to those of every answer. */
export function consoleHeaders(config: Pick<ApiConfig, 'mapTilesUrl'>): Readonly<Record<string, string>> {
  return {
    'content-security-policy': contentPolicy(config.mapTilesUrl),
    // Sources of tiles ask which site shows them, and get no more than that.
    'referrer-policy': 'strict-origin',
    'permissions-policy': DENIED_FEATURES.map((feature) => `${feature}=()`).join(', '),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    vary: 'Accept-Encoding',
  };
}

function contentPolicy(mapTilesUrl: string | null): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' ${STYLE_DIGESTS.join(' ')}`,
    `img-src 'self' data: blob:${mapTilesUrl === null ? '' : ` ${tilesOrigin(mapTilesUrl)}`}`,
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** `https://{s}.tiles.example.com/{z}/…` stands for several hosts: `https://*.tiles.example.com`. */
function tilesOrigin(mapTilesUrl: string): string {
  const origin = /^https?:\/\/[^/]+/.exec(mapTilesUrl)?.[0] ?? '';
  return origin.replace(/\/\/[^.]*\{\w+\}[^.]*\./, '//*.');
}
