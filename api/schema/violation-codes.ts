import type { ViolationCode } from '../../domain/problem.ts';

/**
 * The codes on the wire. Clients of this family of APIs (Symfony's validator behind API Platform) know these
 * UUIDs for the same constraints, so a shared error dictionary of theirs works here too. `read_only`,
 * `reference` and `rule` are this service's own.
 */
export const WIRE_CODES = {
  required: 'c1051bb4-d103-4f74-8988-acbcafc7fdc3',
  null: 'ad32d13f-c3d4-423b-909a-857b961eb720',
  type: 'ba785a8c-82cb-4283-967c-3cf342181b40',
  blank: 'c1051bb4-d103-4f74-8988-acbcafc7fdc3',
  too_short: '9ff3fdc4-b214-49db-8718-39c315e33d45',
  too_long: 'd94b19cc-114f-4f44-9cc4-4138e80a87b9',
  format: 'de1e3db3-5ed4-4941-aae4-59f3667cc3a3',
  choice: '8e179f1b-97aa-4560-a02f-2a8b42e49df7',
  range: '04b91c99-a946-4221-afc5-e65ebac401eb',
  too_few: 'bef8e338-6ae5-4caf-b8e2-50e7b0579e69',
  too_many: '756b1212-697c-468d-a9ad-50dd783bb169',
  unknown_field: '7703c766-b5d5-4cef-ace7-ae0dd82304e9',
  read_only: '0b6a6f6c-5d0f-4a3e-9d53-1c9be0a8f0d1',
  reference: '5b1f7a52-94a3-4f0a-8f9e-6a2f3c1d7e42',
  unique: '23bd9dbf-6b9b-41cd-a99e-4844bcf3077f',
  rule: '2c4d0f7e-6b8a-4e15-a7c9-8d3e5f1b9a60',
} as const satisfies Record<ViolationCode, string>;
