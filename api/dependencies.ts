import type { Clock } from '../platform/clock.ts';
import type { ApiConfig } from '../platform/config.ts';
import type { Logger } from '../platform/log.ts';
import type { Resolver } from '../platform/outbound-address.ts';
import type { Database } from '../store/connection.ts';
import type { ShipmentWorkflowClient } from '../workflows/client/shipment-workflow-client.ts';
import type { Passwords } from './auth/passwords.ts';
import type { ChangeFeed } from './changes/feed.ts';
import type { CommandOutcomes } from './commands/outcomes.ts';
import type { RequestBudgets } from './http/request-budgets.ts';
import type { WorkflowStartQueue } from './commands/workflow-start-queue.ts';
import type { DocumentRenderer } from '../documents/document-renderer.ts';
import type { WorkbookReader } from './shipments/import/workbook.ts';
import type { ConsoleFiles } from './web/console-files.ts';

/** What the API works with; api/main.ts makes it once, tests make their own. */
export interface Dependencies {
  readonly config: ApiConfig;
  readonly database: Database;
  readonly workflows: ShipmentWorkflowClient;
  readonly workflowStarts: WorkflowStartQueue;
  readonly outcomes: CommandOutcomes;
  /** Sends what changes to those who follow it. */
  readonly changes: ChangeFeed;
  /** What users and organizations may ask, shared by all API processes. */
  readonly budgets: RequestBudgets;
  /** Hashes and checks passwords, a bounded number at a time. */
  readonly passwords: Passwords;
  readonly clock: Clock;
  readonly log: Logger;
  /** Reads uploaded workbooks, outside this process and under limits. */
  readonly workbooks: WorkbookReader;
  /** Renders PDFs, outside this process. */
  readonly documents: DocumentRenderer;
  /** The built console; null where it is not built. */
  readonly consoleFiles: ConsoleFiles | null;
  /** Resolves the hosts of webhook addresses when they are saved. */
  readonly resolve: Resolver;
}
