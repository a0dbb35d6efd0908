import type { OrganizationId, ShipmentId } from '../domain/ids.ts';
import type { ShipmentRequest } from '../domain/shipment.ts';
import type { Database } from './connection.ts';
import { execute, inTransaction, selectOne } from './connection.ts';
import type { CreatedShipment } from './create-shipments.ts';
import { createShipments } from './create-shipments.ts';
import { reserveTrackingNumbers, trackingSeries } from './tracking-numbers.ts';
import { prepared } from './prepared.ts';

/** An accepted external request whose shipment does not exist yet (design, «Flow of a creation»). */
export interface Intake {
  readonly id: ShipmentId;
  readonly organizationId: OrganizationId;
  readonly trackingNumber: string;
  readonly request: StoredRequest;
  readonly status: 'processing' | 'created';
}

/** The request as JSON keeps it: moments as ISO 8601 text. */
type StoredRequest = Omit<ShipmentRequest, 'scheduledAfter' | 'scheduledBefore'> & {
  readonly scheduledAfter: string | null;
  readonly scheduledBefore: string | null;
};

/**
 * Accepts an external request: from here on it is stored, and its shipment will exist. The tracking
 * number is minted now. The same id again (an idempotent repetition) changes nothing.
 */
export function acceptIntake(
  database: Database,
  organizationId: OrganizationId,
  id: ShipmentId,
  request: ShipmentRequest,
): Promise<CreatedShipment> {
  return inTransaction(database, async (transaction) => {
    const known = await findIntake(transaction, id);
    if (known !== undefined) return known;
    const [trackingNumber] = await reserveTrackingNumbers(
      transaction,
      await trackingSeries(transaction, organizationId),
      1,
    );
    if (trackingNumber === undefined) throw new Error('no tracking number was reserved');
    await execute(
      transaction,
      prepared(
        'insert into external_intakes (id, organization_id, tracking_number, request) values ($1, $2, $3, $4::jsonb)',
      ),
      [id, organizationId, trackingNumber, JSON.stringify(request)],
    );
    return { id, organizationId, trackingNumber };
  });
}

/** Reads an intake by the id of its future shipment, of whatever organization. */
export function findIntake(
  executor: Parameters<typeof selectOne>[0],
  id: ShipmentId,
): Promise<Intake | undefined> {
  return selectOne<Intake>(
    executor,
    prepared(`select id, organization_id as "organizationId", tracking_number as "trackingNumber", request, status
     from external_intakes where id = $1`),
    [id],
  );
}

/**
 * Makes the shipment of an intake, once, and marks the intake. Harmless when repeated, and when there
 * is no intake because the shipment was made otherwise.
 */
export function createFromIntake(database: Database, id: ShipmentId): Promise<void> {
  return inTransaction(database, async (transaction) => {
    const intake = await selectOne<Intake>(
      transaction,
      prepared(`select id, organization_id as "organizationId", tracking_number as "trackingNumber", request, status
       from external_intakes where id = $1 and status = 'processing' for update`),
      [id],
    );
    if (intake === undefined) return;
    await createShipments(transaction, intake.organizationId, [
      {
        id,
        trackingNumber: intake.trackingNumber,
        source: 'external',
        status: 'pending',
        request: {
          ...intake.request,
          scheduledAfter: dateOrNull(intake.request.scheduledAfter),
          scheduledBefore: dateOrNull(intake.request.scheduledBefore),
        },
      },
    ]);
    await execute(transaction, prepared(`update external_intakes set status = 'created' where id = $1`), [
      id,
    ]);
  });
}

function dateOrNull(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
