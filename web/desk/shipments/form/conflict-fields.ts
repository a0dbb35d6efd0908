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
import { useMerchants, usePickupPoints } from '../reads.ts';
import { FORM_FIELDS } from './form-fields.ts';
import type { ShipmentValues } from './values.ts';

/** Every field of a shipment as it was read, as the form has it, and as somebody else saved it; as a person reads it. */
export function useConflictFields(): (
  before: ShipmentValues,
  mine: ShipmentValues,
  theirs: ShipmentValues,
) => readonly ConflictField[] {
  const { i18n } = useLingui();
  const textsOf = useTexts();
  return (before, mine, theirs) => {
    const [beforeTexts, mineTexts, theirTexts] = [textsOf(before), textsOf(mine), textsOf(theirs)];
    return Object.entries(FORM_FIELDS).map(([name, { label }]) => ({
      label: i18n._(label),
      mine: mineTexts.get(name) ?? '',
      theirs: theirTexts.get(name) ?? '',
      before: beforeTexts.get(name) ?? '',
    }));
  };
}

/** Words instead of codes, names instead of references. */
function useTexts(): (values: ShipmentValues) => ReadonlyMap<string, string> {
  const { i18n } = useLingui();
  const { data: merchants = [] } = useMerchants();
  const { data: points = [] } = usePickupPoints();
  const nameIn = (records: readonly { readonly id: string; readonly name: string }[], iri: string) =>
    iri === '' ? '' : (records.find(({ id }) => iri.endsWith(id))?.name ?? iri);
  return ({ handlingOptions, items, ...values }) =>
    new Map<string, string>([
      ...Object.entries(values),
      ['type', i18n._(RECIPIENT_TYPE_WORDS[values.type])],
      ['packageSize', i18n._(PACKAGE_SIZE_WORDS[values.packageSize])],
      ['priority', i18n._(PRIORITY_WORDS[values.priority])],
      ['merchant', nameIn(merchants, values.merchant)],
      ['pickupPoint', nameIn(points, values.pickupPoint)],
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
