import type { Context, Middleware } from 'koa';
import { isOneOf, LANGUAGES } from '../../domain/enumerations.ts';
import { ProblemError } from '../../domain/problem.ts';
import { isTerminalShipment } from '../../domain/shipment-status.ts';
import { hitRateWindow } from '../../store/accounts/rate-windows.ts';
import type { TrackedShipment } from '../../store/shipments/tracked-shipment.ts';
import { findTrackedAcrossTenants } from '../../store/shipments/tracked-shipment.ts';
import type { Dependencies } from '../dependencies.ts';
import { clientAddress } from '../http/client-address.ts';
import { problemOf, requestIdOf } from '../http/errors.ts';
import { problemResponse } from '../http/problem-response.ts';
import { rateLimitHeaders } from '../http/rate-limit.ts';
import { PAGE_HEADERS, renderPage } from './page.ts';
import { trackedShipmentId } from './tracking-token.ts';
import type { PageState } from './words.ts';

/** Where the page is, outside the API: a person opens it. */
const PAGE_PATH = /^\/t\/(.*)$/s;
const ALLOWED_METHODS = ['GET', 'HEAD'];
const WINDOW_SECONDS = 60;
const DAY_MS = 86_400_000;
/** For so long after its end a parcel can still be looked up. */
const SHOWN_DAYS_AFTER_END = 30;

/** An answer of the page: its status, its state in words, and the number of the parcel that it speaks of. */
interface PageAnswer {
  readonly status: number;
  readonly state: PageState;
  readonly trackingNumber: string | null;
}

/**
 * The page of a shipment for its recipient, `/t/<token>`, opened without signing in (decision 0026). It shows the status in words
 * alone, in the language that the client likes best, and is counted by the client's address. A wrong token is a 404 page, a shipment
 * that ended 30 days ago a 410 page; problems that pass are pages too.
 */
export function recipientPage(dependencies: Dependencies): Middleware {
  return async (context, next) => {
    const [, token] = PAGE_PATH.exec(context.path) ?? [];
    if (token === undefined) {
      await next();
      return;
    }
    if (!ALLOWED_METHODS.includes(context.method)) {
      const detail = `Allowed methods: ${ALLOWED_METHODS.join(', ')}.`;
      throw new ProblemError({ kind: 'method_not_allowed', detail, allow: ALLOWED_METHODS });
    }
    writePage(context, await answerOf(dependencies, context, token));
  };
}

async function answerOf(dependencies: Dependencies, context: Context, token: string): Promise<PageAnswer> {
  try {
    await countRequest(dependencies, context);
    const id = trackedShipmentId(dependencies.config, token);
    const found = id === undefined ? undefined : await findTrackedAcrossTenants(dependencies.database, id);
    return found === undefined ? MISSING : shownAt(dependencies.clock(), found);
  } catch (error) {
    const problem = problemOf(error);
    if (problem?.kind !== 'limited' && problem?.kind !== 'unavailable') throw error;
    const { status, headers } = problemResponse(problem, requestIdOf(context));
    context.set('retry-after', headers['retry-after'] ?? '');
    return { status, state: problem.kind, trackingNumber: null };
  }
}

const MISSING: PageAnswer = { status: 404, state: 'missing', trackingNumber: null };

function shownAt(now: Date, { status, changedAt, trackingNumber }: TrackedShipment): PageAnswer {
  const hasEnded = status !== 'processing' && isTerminalShipment(status);
  if (hasEnded && now.getTime() - changedAt.getTime() > SHOWN_DAYS_AFTER_END * DAY_MS) {
    return { status: 410, state: 'expired', trackingNumber: null };
  }
  return { status: 200, state: status, trackingNumber };
}

/** Counts a request against its address, right tokens and wrong ones alike. Throws a limited ProblemError past the limit. */
async function countRequest({ config, database }: Dependencies, context: Context): Promise<void> {
  const limit = config.trackingRequestsPerMinute;
  const hit = await hitRateWindow(database, `tracking:${clientAddress(context)}`, limit, WINDOW_SECONDS);
  context.set(rateLimitHeaders([{ policy: 'tracking', limit, windowSeconds: WINDOW_SECONDS, hit }]));
  if (hit.isAccepted) return;
  const { retryAfterSeconds } = hit;
  throw new ProblemError({ kind: 'limited', detail: 'Too many requests.', retryAfterSeconds });
}

function writePage(context: Context, { status, state, trackingNumber }: PageAnswer): void {
  const accepted = context.acceptsLanguages(...LANGUAGES);
  const language = isOneOf(LANGUAGES, accepted) ? accepted : 'en';
  context.status = status;
  context.set({ ...PAGE_HEADERS });
  context.set('content-language', language);
  // The addresses of the API's documentation are of no use to a recipient.
  context.remove('link');
  context.body = renderPage(language, state, trackingNumber);
  context.set('content-type', PAGE_HEADERS['content-type']);
}
