import type { UseQueryResult } from '@tanstack/react-query';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { answer, api } from '../../shared/client.ts';
import { dayOf } from '../../shared/format.ts';
import { serverNow } from '../../shared/server-clock.ts';
import { useLiveRows } from '../live-rows.ts';
import { useNow } from '../now.ts';
import { useSession } from '../session.tsx';
import type { Day } from './day-rows.ts';
import { applyRows } from './day-rows.ts';

/** Between two reads of a day because of rows that it did not have. */
const READ_AGAIN_MS = 3_000;

/** Today in the organization's time zone, by the service's clock: `2026-03-12`. */
export function useToday(): string {
  const { session } = useSession();
  useNow(60_000);
  return dayOf(serverNow(), session.organization.timezone);
}

/** The tasks, runs and drivers of a day: read once, then kept as the stream of changes tells. */
export function useDay(date: string): UseQueryResult<Day> {
  const queries = useQueryClient();
  const queryKey = ['day', date];
  const readAgainAt = useRef(0);
  const readAgain = () => void queries.invalidateQueries({ queryKey: ['day', date] });
  useLiveRows(
    ['Task', 'DeliveryRun', 'Driver'],
    (rows) => {
      const known = queries.getQueryData<Day>(queryKey);
      if (known === undefined) return;
      const { day, hasUnknown } = applyRows(known, rows);
      queries.setQueryData(queryKey, day);
      if (!hasUnknown || readAgainAt.current > Date.now()) return;
      readAgainAt.current = Date.now() + READ_AGAIN_MS;
      setTimeout(readAgain, READ_AGAIN_MS);
    },
    readAgain,
  );
  return useQuery({
    queryKey,
    queryFn: () => answer(api.GET('/board', { params: { query: { date } } })),
    // The stream keeps it fresh while a screen shows it, and not between two screens.
    staleTime: Infinity,
    refetchOnMount: 'always',
  });
}
