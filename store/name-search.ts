import { literal, Op, where } from 'sequelize';
import { searchWords } from '../domain/text-search.ts';
import { likePattern } from './page.ts';

/** Accents, and the vowel signs of Arabic, which `normalize` has set apart. */
const MARKS =
  '[\\u0300-\\u036f\\u0610-\\u061a\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e4\\u06e7\\u06e8\\u06ea-\\u06ed]';

/** Of a row what is searched, as domain/text-search.ts folds it: without case, accents and vowel signs. */
function foldedSql(columns: readonly string[]): string {
  const joined = `concat_ws(' ', ${columns.join(', ')})`;
  return `translate(lower(regexp_replace(normalize(${joined}, NFD), '${MARKS}', '', 'g')), 'ىة', 'يه')`;
}

/**
 * The condition of rows whose `columns`, which are names of ours and no input, together have each word of what was typed. An
 * organization's rows are gone through one by one.
 */
export function namesHave(columns: readonly string[], typed: string | null) {
  if (typed === null) return {};
  const folded = literal(foldedSql(columns));
  return { [Op.and]: searchWords(typed).map((word) => where(folded, Op.like, likePattern(word))) };
}
