import { useLingui } from '@lingui/react/macro';
import {
  HANDLING_WORDS,
  PACKAGE_SIZE_WORDS,
  PRIORITY_WORDS,
  RECIPIENT_TYPE_WORDS,
  UNIT_WORDS,
} from '../../../shared/domain-words.ts';
import { formatList } from '../../../shared/format.ts';
import type { ConflictField } from '../../parts/conflict.tsx';
import { MERCHANTS, PICKUP_POINTS, useRecord } from '../../records.ts';
import { FORM_FIELDS } from './form-fields.ts';
import type { ShipmentValues } from './values.ts';

/** Every field of a shipment as it was read, as the form has it, and as somebody else saved it; as a person reads it. */
export function useConflictFields(
  before: ShipmentValues,
  mine: ShipmentValues,
  theirs: ShipmentValues,
): readonly ConflictField[] {
  const { i18n } = useLingui();
  const beforeTexts = useTexts(before);
  const mineTexts = useTexts(mine);
  const theirTexts = useTexts(theirs);
  return Object.entries(FORM_FIELDS).map(([name, { label }]) => ({
    label: i18n._(label),
    mine: mineTexts.get(name) ?? '',
    theirs: theirTexts.get(name) ?? '',
    before: beforeTexts.get(name) ?? '',
  }));
}

/** Words instead of codes, names instead of references. */
function useTexts({ handlingOptions, items, ...values }: ShipmentValues): ReadonlyMap<string, string> {
  const { i18n } = useLingui();
  const merchant = useRecord(MERCHANTS, values.merchant);
  const point = useRecord(PICKUP_POINTS, values.pickupPoint);
  return new Map<string, string>([
    ...Object.entries(values),
    ['type', i18n._(RECIPIENT_TYPE_WORDS[values.type])],
    ['packageSize', i18n._(PACKAGE_SIZE_WORDS[values.packageSize])],
    ['priority', i18n._(PRIORITY_WORDS[values.priority])],
    ['merchant', merchant?.name ?? values.merchant],
    ['pickupPoint', point?.name ?? values.pickupPoint],
    ['scheduledAfter', values.scheduledAfter.replace('T', ' ')],
    ['scheduledBefore', values.scheduledBefore.replace('T', ' ')],
    ['handlingOptions', formatList(handlingOptions.map((option) => i18n._(HANDLING_WORDS[option])))],
    [
      'items',
      items
        .map((item) =>
          [item.quantity, i18n._(UNIT_WORDS[item.unitType]), item.name, item.unitPrice, item.sku]
            .filter((text) => text !== '')
            .join(' '),
        )
        .join('\n'),
    ],
  ]);
}
