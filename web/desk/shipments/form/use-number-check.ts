import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { ShipmentValues } from './values.ts';
import { numberFaults } from './values.ts';

const NONE: readonly string[] = [];

/** Finds numbers that are none before anything is sent; then what the service says of each field. */
export function useNumberCheck(serviceSays: (path: string) => string | undefined) {
  const { t } = useLingui();
  const [faults, setFaults] = useState(NONE);
  return {
    faults,
    /** Whether the values can be sent. */
    check: (values: ShipmentValues): boolean => {
      const found = numberFaults(values);
      setFaults(found.length === 0 ? NONE : found);
      return found.length === 0;
    },
    errorOf: (path: string) => (faults.includes(path) ? t`Must be a number.` : serviceSays(path)),
  };
}
