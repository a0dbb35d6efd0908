import type { Language, ShipmentStatus } from '../../domain/enumerations.ts';

/** What the page says of a parcel, and where it has nothing to say of one. */
export type PageState = ShipmentStatus | 'processing' | 'missing' | 'expired' | 'limited' | 'unavailable';

/** A state in words: a few for the heading, and a sentence. */
type Words = readonly [heading: string, sentence: string];

interface LanguageWords {
  readonly direction: 'ltr' | 'rtl';
  readonly title: string;
  readonly trackingNumber: string;
  readonly states: Readonly<Record<PageState, Words>>;
}

const FRENCH_ANNOUNCED: Words = ['Annoncé', 'Votre colis nous est annoncé. Nous ne l’avons pas encore.'];
const ARABIC_ANNOUNCED: Words = ['مُسجَّل', 'أُعلمنا بطردكم، ولم نستلمه بعد.'];
const ENGLISH_ANNOUNCED: Words = ['Announced', 'Your parcel is announced. We do not have it yet.'];

/** The page in each language. A status that is added fails to compile until each language has words for it. */
export const PAGE_WORDS: Readonly<Record<Language, LanguageWords>> = {
  fr: {
    direction: 'ltr',
    title: 'Votre colis',
    trackingNumber: 'Numéro de suivi',
    states: {
      processing: FRENCH_ANNOUNCED,
      pending_approval: FRENCH_ANNOUNCED,
      pending: FRENCH_ANNOUNCED,
      pickup_in_progress: ['Ramassage en cours', 'Un livreur va chercher votre colis.'],
      picked_up: ['Pris en charge', 'Nous avons votre colis. Il va partir en livraison.'],
      in_transit: ['En route', 'Votre colis est en route.'],
      delivered: ['Livré', 'Votre colis a été livré.'],
      returned: ['Retourné', 'Votre colis a été retourné à l’expéditeur.'],
      cancelled: ['Annulé', 'La livraison de ce colis a été annulée.'],
      missing: [
        'Lien inconnu',
        'Ce lien ne mène à aucun colis. Vérifiez-le, ou demandez-en un à l’expéditeur.',
      ],
      expired: ['Lien expiré', 'Le suivi de ce colis est terminé depuis plus de 30 jours.'],
      limited: ['Trop de demandes', 'Attendez une minute, puis rechargez la page.'],
      unavailable: ['Momentanément indisponible', 'Rechargez la page dans un instant.'],
    },
  },
  ar: {
    direction: 'rtl',
    title: 'طردكم',
    trackingNumber: 'رقم التتبع',
    states: {
      processing: ARABIC_ANNOUNCED,
      pending_approval: ARABIC_ANNOUNCED,
      pending: ARABIC_ANNOUNCED,
      pickup_in_progress: ['جارٍ الاستلام', 'سائق في طريقه لاستلام طردكم.'],
      picked_up: ['تم الاستلام', 'طردكم لدينا وسيخرج للتوصيل.'],
      in_transit: ['في الطريق', 'طردكم في الطريق.'],
      delivered: ['تم التسليم', 'تم تسليم طردكم.'],
      returned: ['أُعيد', 'أُعيد طردكم إلى المرسل.'],
      cancelled: ['أُلغي', 'أُلغي توصيل هذا الطرد.'],
      missing: ['رابط غير معروف', 'لا يؤدي هذا الرابط إلى أي طرد. تحققوا منه أو اطلبوا رابطًا من المرسل.'],
      expired: ['انتهت صلاحية الرابط', 'انتهى تتبع هذا الطرد منذ أكثر من 30 يومًا.'],
      limited: ['طلبات كثيرة', 'انتظروا دقيقة ثم أعيدوا تحميل الصفحة.'],
      unavailable: ['غير متاح مؤقتًا', 'أعيدوا تحميل الصفحة بعد قليل.'],
    },
  },
  en: {
    direction: 'ltr',
    title: 'Your parcel',
    trackingNumber: 'Tracking number',
    states: {
      processing: ENGLISH_ANNOUNCED,
      pending_approval: ENGLISH_ANNOUNCED,
      pending: ENGLISH_ANNOUNCED,
      pickup_in_progress: ['Being collected', 'A driver is on the way to collect your parcel.'],
      picked_up: ['With us', 'We have your parcel. It will be out for delivery soon.'],
      in_transit: ['On its way', 'Your parcel is on its way.'],
      delivered: ['Delivered', 'Your parcel has been delivered.'],
      returned: ['Returned', 'Your parcel has been returned to the sender.'],
      cancelled: ['Cancelled', 'The delivery of this parcel has been cancelled.'],
      missing: ['Unknown link', 'This link leads to no parcel. Check it, or ask the sender for one.'],
      expired: ['Expired link', 'The tracking of this parcel ended more than 30 days ago.'],
      limited: ['Too many requests', 'Wait for a minute, then reload the page.'],
      unavailable: ['Temporarily unavailable', 'Reload the page in a moment.'],
    },
  },
};
