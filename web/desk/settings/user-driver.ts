import { answerWithTag, api, idOf } from '../../shared/client.ts';
import { PATCH_HEADERS, taggedParams } from './record/record-kind.ts';

/** Makes a user the one of another driver, or of none: which user a driver is, is a field of the driver. */
export async function linkDriver(userId: string, before: string, after: string): Promise<void> {
  if (before !== '' && before !== after) await setUser(idOf(before), null);
  if (after !== '') await setUser(idOf(after), `/api/v1/users/${userId}`);
}

async function setUser(driverId: string, user: string | null): Promise<void> {
  const { etag } = await answerWithTag(api.GET('/drivers/{id}', { params: { path: { id: driverId } } }));
  await answerWithTag(
    api.PATCH('/drivers/{id}', {
      params: taggedParams(driverId, etag),
      headers: PATCH_HEADERS,
      body: { user },
    }),
  );
}
