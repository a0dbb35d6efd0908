import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { SHIPMENT_STATUS_WORDS } from '../../shared/domain-words.ts';
import { answer, api } from '../../shared/client.ts';
import { dayOf, formatDay } from '../../shared/format.ts';
import { serverNow } from '../../shared/server-clock.ts';
import { LARGEST_PAGE, readAll } from '../read-all.ts';
import { useSession } from '../session.tsx';
import type { PaletteEntry } from './entries.ts';

const SHOWN_SHIPMENTS = 8;
/** Shorter texts find too much to be worth a question to the service. */
export const SHORTEST_SEARCH = 2;

/** The address of this screen with a drawer open. */
function drawerAddress(name: string, id: string): string {
  const parameters = new URLSearchParams(window.location.search);
  parameters.set(name, id);
  return `${window.location.pathname.replace(/^\/desk/, '')}?${parameters.toString()}`;
}

/** Shipments that the service finds: by number, recipient, phone or the shop's own reference. */
export function useFoundShipments(typed: string) {
  const { i18n } = useLingui();
  const search = typed.trim();
  const found = useQuery({
    queryKey: ['shipments', 'palette', search],
    queryFn: ({ signal }) =>
      answer(api.GET('/shipments', { params: { query: { search, itemsPerPage: SHOWN_SHIPMENTS } }, signal })),
    enabled: search.length >= SHORTEST_SEARCH,
    staleTime: 10_000,
  });
  const entries: readonly PaletteEntry[] = (found.data?.member ?? []).map(
    ({ id, trackingNumber, status, recipient }) => ({
      key: `shipment ${id}`,
      title: `${trackingNumber} · ${recipient.firstName} ${recipient.lastName ?? ''}`.trim(),
      note: i18n._(SHIPMENT_STATUS_WORDS[status]),
      to: drawerAddress('shipment', id),
    }),
  );
  return { entries, isPending: found.isFetching, error: found.error };
}

/** Drivers and today's runs of the organization, for who may see them. */
export function useTeamEntries(): {
  readonly drivers: readonly PaletteEntry[];
  readonly runs: readonly PaletteEntry[];
} {
  const { t } = useLingui();
  const { may, session } = useSession();
  const drivers = useQuery({
    queryKey: ['drivers', 'palette'],
    queryFn: () =>
      readAll((page) =>
        answer(api.GET('/drivers', { params: { query: { page, itemsPerPage: LARGEST_PAGE } } })),
      ),
    enabled: may('driver.list'),
    staleTime: 30_000,
  });
  const date = dayOf(serverNow(), session.organization.timezone);
  const runs = useQuery({
    queryKey: ['delivery-runs', 'palette', date],
    queryFn: () =>
      readAll((page) =>
        answer(api.GET('/delivery-runs', { params: { query: { page, itemsPerPage: LARGEST_PAGE, date } } })),
      ),
    enabled: may('delivery_run.write'),
    staleTime: 30_000,
  });
  return {
    drivers: (drivers.data ?? []).map(({ id, firstName, lastName, phoneNumber }) => ({
      key: `driver ${id}`,
      title: `${firstName} ${lastName}`,
      note: t`Driver`,
      search: phoneNumber,
      to: `/drivers?driver=${id}`,
    })),
    runs: (runs.data ?? []).map(({ id, name, reference }) => ({
      key: `run ${id}`,
      title: name ?? reference,
      note: formatDay(date),
      search: reference,
      to: `/runs?run=${id}`,
    })),
  };
}
