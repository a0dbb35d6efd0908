import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { shownFileName } from '../../../domain/import-record.ts';
import { UnansweredRequest } from '../../shared/problem.ts';
import type { ActionState } from '../parts/use-action.ts';
import { useAction } from '../parts/use-action.ts';
import { useRequestKey } from '../parts/use-request-key.ts';
import { useSession } from '../session.tsx';
import type { ChosenFile } from './import-requests.ts';
import { importFile, readImports } from './import-requests.ts';

const LOOK_EVERY_MS = 1_000;

/**
 * Sends a workbook to be imported. The service answers when all rows are made; its record of the import is there before, and is
 * looked for meanwhile: `onRecord` is called as soon as it is found, also where the answer is lost.
 */
export function useImport(chosen: ChosenFile, onRecord: (id: string) => void): ActionState<void> {
  const { session } = useSession();
  const withKey = useRequestKey();
  const [known, setKnown] = useState<ReadonlySet<string>>();
  const isFound = useRef(false);
  const found = useEffectEvent((id: string) => {
    if (isFound.current) return;
    isFound.current = true;
    onRecord(id);
  });
  const action = useAction(async () => {
    const before = known ?? new Set((await readImports()).map(({ id }) => id));
    setKnown(before);
    await withKey((key) => importFile(chosen, key));
  });
  const isLooking =
    known !== undefined && (action.isPending || action.error === undefined || isLost(action.error));
  const list = useQuery({
    queryKey: ['imports', 'looking'],
    queryFn: readImports,
    enabled: isLooking,
    refetchInterval: LOOK_EVERY_MS,
    gcTime: 0,
  });
  const name = shownFileName(chosen.file.name) ?? undefined;
  const mine = list.data?.find(
    ({ id, user, fileName }) =>
      known !== undefined && !known.has(id) && user === session.user['@id'] && fileName === name,
  );
  const id = isLooking ? mine?.id : undefined;
  useEffect(() => {
    if (id !== undefined) found(id);
  }, [id]);
  return action;
}

function isLost(error: unknown): boolean {
  return error instanceof UnansweredRequest;
}
