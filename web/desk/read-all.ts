/** The largest page of the service. */
export const LARGEST_PAGE = 100;
/** More are not offered in a field to choose from. */
const MAX_PAGES = 10;

interface Page<Item> {
  readonly member: readonly Item[];
  readonly totalItems: number;
}

/** Reads a collection page by page, up to 1,000 items. Rejects as `readPage` does. */
export async function readAll<Item>(
  readPage: (page: number) => Promise<Page<Item>>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { member, totalItems } = await readPage(page);
    items.push(...member);
    if (items.length >= totalItems || member.length === 0) break;
  }
  return items;
}
