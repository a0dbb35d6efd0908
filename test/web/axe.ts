import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** What axe finds on a page, as `place rule: element`. */
export async function violationsOf(page: Page, place: string, rules?: string): Promise<readonly string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode(true);
  const { violations } = await (rules === undefined ? axe.withTags(TAGS) : axe.withRules([rules])).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => `${place} ${id}: ${html.slice(0, 200)}`),
  );
}
