import type { OrganizationId, ShipmentId, WebhookEventId } from '../domain/ids.ts';
import type { Database } from './connection.ts';
import { select } from './connection.ts';

/** A shipment whose workflow has to be started or woken, and why. */
export interface RelayEntry {
  readonly shipmentId: ShipmentId;
  readonly organizationId: OrganizationId;
  readonly trackingNumber: string;
  readonly priority: string;
}

/** A command that was stored and not decided. */
export interface RelayCommand extends RelayEntry {
  readonly id: string;
  readonly kind: string;
  readonly taskId: string | null;
  readonly taskType: string | null;
  readonly transition: string | null;
  readonly driverId: string | null;
  readonly reason: string | null;
}

/** How old something must be before the relay takes it for left behind, and how often it tries again. */
export interface RelayPatience {
  readonly ageSeconds: number;
  readonly againAfterSeconds: number;
  readonly batch: number;
}

/**
 * Takes commands that nobody decided, oldest first, marking them so that no other relay does the same
 * (`FOR UPDATE SKIP LOCKED`).
 */
export function takeForgottenCommands(database: Database, patience: RelayPatience): Promise<RelayCommand[]> {
  return select<RelayCommand>(
    database,
    `with forgotten as (
       select id from commands where status = 'received' and received_at < clock_timestamp() - make_interval(secs => $1)
         and (relayed_at is null or relayed_at < clock_timestamp() - make_interval(secs => $2))
       order by received_at limit $3 for update skip locked)
     update commands c set relayed_at = clock_timestamp() from forgotten f, shipments s
     where c.id = f.id and s.id = c.shipment_id
     returning c.id, c.kind, c.shipment_id as "shipmentId", c.organization_id as "organizationId",
       s.tracking_number as "trackingNumber", s.priority, c.task_id as "taskId", c.request->>'transition' as transition,
       c.request->>'driverId' as "driverId", c.request->>'reason' as reason,
       coalesce(c.request->>'taskType', (select t.type from tasks t where t.id = c.task_id)) as "taskType"`,
    [patience.ageSeconds, patience.againAfterSeconds, patience.batch],
  );
}

/** Takes external intakes without a shipment. */
export function takeForgottenIntakes(database: Database, patience: RelayPatience): Promise<RelayEntry[]> {
  return select<RelayEntry>(
    database,
    `with forgotten as (
       select id from external_intakes where status = 'processing'
         and received_at < clock_timestamp() - make_interval(secs => $1)
         and (relayed_at is null or relayed_at < clock_timestamp() - make_interval(secs => $2))
       order by received_at limit $3 for update skip locked)
     update external_intakes i set relayed_at = clock_timestamp() from forgotten f where i.id = f.id
     returning i.id as "shipmentId", i.organization_id as "organizationId", i.tracking_number as "trackingNumber",
       i.request->>'priority' as priority`,
    [patience.ageSeconds, patience.againAfterSeconds, patience.batch],
  );
}

/**
 * Takes shipments that no run has taken up, whose deadline passed unnoticed, or whose events wait too
 * long. `relayed_at` of the shipment keeps each from being taken at every pass.
 */
export function takeForgottenShipments(database: Database, patience: RelayPatience): Promise<RelayEntry[]> {
  return select<RelayEntry>(
    database,
    `with candidates as (
       (select id from shipments where run_seen_at is null
          and created_at < clock_timestamp() - make_interval(secs => $1) order by created_at limit $3)
       union
       (select id from shipments where deadline_missed_at is null
          and status in ('pending', 'pickup_in_progress', 'picked_up', 'in_transit')
          and delivery_deadline < clock_timestamp() - make_interval(secs => $1) order by delivery_deadline limit $3)
       union
       (select shipment_id from webhook_events where status = 'pending' and shipment_id is not null and round = 0
          and created_at < clock_timestamp() - make_interval(secs => $1 + 60) order by created_at limit $3)
     ), forgotten as (
       select s.id from shipments s join candidates c on c.id = s.id
       where s.relayed_at is null or s.relayed_at < clock_timestamp() - make_interval(secs => $2)
       for update of s skip locked)
     update shipments s set relayed_at = clock_timestamp() from forgotten f where s.id = f.id
     returning s.id as "shipmentId", s.organization_id as "organizationId", s.tracking_number as "trackingNumber", s.priority`,
    [patience.ageSeconds, patience.againAfterSeconds, patience.batch],
  );
}

/** An event that a workflow of its own sends: a replay, or a test event in round 0. */
export interface RelayReplay {
  readonly eventId: WebhookEventId;
  readonly organizationId: OrganizationId;
  readonly round: number;
}

/**
 * Takes replays and test events that are still pending; their workflow may never have been started. Starting it
 * once more finds it running, or finds the event settled. `relayed_at` is also the moment of the replay itself.
 */
export function takeForgottenReplays(database: Database, patience: RelayPatience): Promise<RelayReplay[]> {
  return select<RelayReplay>(
    database,
    `with forgotten as (
       select id from webhook_events where status = 'pending' and (round > 0 or shipment_id is null)
         and created_at < clock_timestamp() - make_interval(secs => $1)
         and (relayed_at is null or relayed_at < clock_timestamp() - make_interval(secs => $2))
       order by created_at limit $3 for update skip locked)
     update webhook_events e set relayed_at = clock_timestamp() from forgotten f where e.id = f.id
     returning e.id as "eventId", e.organization_id as "organizationId", e.round`,
    [patience.ageSeconds, patience.againAfterSeconds, patience.batch],
  );
}
