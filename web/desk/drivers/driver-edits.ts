import type { VehicleType } from '../../../domain/enumerations.ts';
import { VEHICLE_TYPES, isOneOf } from '../../../domain/enumerations.ts';
import type { Schemas } from '../../shared/client.ts';
import { answer, answerWithTag, api, done } from '../../shared/client.ts';

export type Driver = Schemas['Driver'];

/** A driver as the form holds it; an empty text is none. */
export interface DriverDraft {
  readonly firstName: string;
  readonly lastName: string;
  readonly phoneNumber: string;
  readonly vehicleType: VehicleType | '';
  readonly isAvailable: boolean;
  /** The IRI of the user who signs in as this driver. */
  readonly user: string;
}

export const NEW_DRIVER: DriverDraft = {
  firstName: '',
  lastName: '',
  phoneNumber: '',
  vehicleType: '',
  isAvailable: true,
  user: '',
};

export function draftOf(driver: Driver): DriverDraft {
  const { firstName, lastName, phoneNumber, vehicleType = '', isAvailable, user = '' } = driver;
  return { firstName, lastName, phoneNumber, vehicleType, isAvailable, user };
}

export function asVehicle(word: string): VehicleType | '' {
  return isOneOf(VEHICLE_TYPES, word) ? word : '';
}

export function readDriver(id: string) {
  return answerWithTag(api.GET('/drivers/{id}', { params: { path: { id } } }));
}

export function createDriver(draft: DriverDraft, key: string) {
  const header = { 'Idempotency-Key': key };
  return answer(api.POST('/drivers', { params: { header }, body: bodyOf(draft) }));
}

/** Sends what the person changed, against the version that was read: 412 where somebody else has edited it since. */
export function editDriver(id: string, before: DriverDraft, draft: DriverDraft, etag: string | null) {
  const header = etag === null ? {} : { 'If-Match': etag };
  const [old, wanted] = [bodyOf(before), bodyOf(draft)];
  const body = {
    ...(old.firstName !== wanted.firstName && { firstName: wanted.firstName }),
    ...(old.lastName !== wanted.lastName && { lastName: wanted.lastName }),
    ...(old.phoneNumber !== wanted.phoneNumber && { phoneNumber: wanted.phoneNumber }),
    ...(old.vehicleType !== wanted.vehicleType && { vehicleType: wanted.vehicleType }),
    ...(old.isAvailable !== wanted.isAvailable && { isAvailable: wanted.isAvailable }),
    ...(old.user !== wanted.user && { user: wanted.user }),
  };
  return answerWithTag(api.PATCH('/drivers/{id}', { params: { path: { id }, header }, body }));
}

/** One switch that says what it shall be: it can overwrite nothing else. */
export function setAvailable(id: string, isAvailable: boolean) {
  return answer(api.PATCH('/drivers/{id}', { params: { path: { id } }, body: { isAvailable } }));
}

export function deleteDriver(id: string) {
  return done(api.DELETE('/drivers/{id}', { params: { path: { id } } }));
}

function bodyOf({ vehicleType, user, ...draft }: DriverDraft) {
  return { ...draft, vehicleType: vehicleType === '' ? null : vehicleType, user: user === '' ? null : user };
}
