import type { DocumentParty } from '../../documents/document-data.ts';

/** A name and an address in each script that a name may have. */
export const SCRIPTS: Readonly<
  Record<string, { readonly name: string; readonly street: string; readonly city: string }>
> = {
  Latin: { name: 'Ẹ̀bùn Ḥusaynʿ Łukasz Şirin Ænima', street: 'Ħamrija Ə12, ŵy ß ĳ ſ', city: 'Köln-Ðakovo' },
  Ewe: { name: 'Kɔ̃́jo Agbɛ́nyɛ̃ga', street: 'Kɔ́fi Amɛ́ Mawuɛ̌ 12', city: 'Ŋɔ̃́tsé ã́ ạ̃́' },
  Navajo: { name: 'Dǫ́ǫ́ Ńdíígǫ́', street: 'Tségháhoodzání 12', city: 'Tóhą́ą́lį́' },
  Salish: { name: 'ẋ̣ac̓ ł̓il k̓ʷan', street: 'X̌ʷay̓ 12', city: 'Sq̓əmłə̓n' },
  Vietnamese: {
    name: 'Nguyễn Thị Ánh Tuyết',
    street: '12 đường Trần Hưng Đạo',
    city: 'Hà Nội, Quận Hoàn Kiếm',
  },
  Arabic: { name: 'محمد الأمين بن عبد الله', street: 'شارع الاستقلال 12 (DHL Express)', city: 'الجزائر' },
  Persian: { name: 'گلچهره می‌خواهم پژمان', street: 'خیابان ولیعصر ۱۲', city: 'تهران' },
  Urdu: { name: 'ڈاکٹر ثناء ٹیپو ہے', street: 'گلی نمبر ۵', city: 'لاہور' },
  Hebrew: { name: 'שָׁלוֹם כהן', street: 'רחוב הרצל 5 (DHL Express), דירה 12', city: 'תל אביב' },
  Greek: { name: 'Ἀθηνᾶ Παπαδοπούλου', street: 'Ερμού 15', city: 'Αθήνα' },
  Polytonic: { name: 'Ἆθλος ᾱ̓ ῡ́ ᾰ̓́', street: 'ῐ̔́ρις ᾱ̔́ 15', city: 'Ἀθῆναι' },
  Cyrillic: { name: 'Ґалаґан Әсел Ѓорѓи Щербаков', street: 'ул. Тверская, д. 7', city: 'Қарағанды' },
  Simplified: { name: '张伟 喆', street: '北京市朝阳区建国路88号，国贸大厦3层', city: '北京' },
  Traditional: { name: '陳淑芬', street: '臺北市信義區市府路45號「台北101」', city: '臺北' },
  Japanese: { name: '髙橋 さくら ヴィ', street: '東京都渋谷区神宮前一丁目2番3号、葛󠄀ビル', city: '東京' },
  Korean: { name: '김철수 뷁', street: '서울특별시 강남구 테헤란로 123', city: '서울' },
  Devanagari: { name: 'श्रीकृष्ण क्षत्रिय', street: 'महात्मा गांधी मार्ग, दुकान क्र. १२', city: 'मुंबई' },
  Thai: { name: 'กิตติพงษ์ น้ำฝน', street: '99/1 ถนนสุขุมวิท แขวงคลองเตยเหนือ', city: 'กรุงเทพมหานคร' },
};

/** A party to a shipment that writes in a script. */
export function partyIn(script: string): DocumentParty {
  const { name, street, city } = SCRIPTS[script] ?? { name: script, street: script, city: script };
  const address = { street, city, postalCode: '10117', landmark: null };
  return { name, phoneNumber: '+213555010203', email: null, address };
}
