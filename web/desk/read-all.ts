/** The largest page of the service. */
export const LARGEST_PAGE = 100;
/** 10,000: a map and the palette have all of them. */
const MAX_PAGES = 100;

interface Page<Item> {
  readonly member: readonly Item[];
  readonly totalItems: number;
}

/** Reads a collection page by page, up to 10,000 items. Rejects as `readPage` does. */
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
