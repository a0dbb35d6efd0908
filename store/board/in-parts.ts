/**
 * The items of several lists, so many at a time; the last part may be smaller. What was left out of the lists before does not show
 * in where the parts end: a digest of them is one of the items alone.
 */
export async function* inParts<Item>(
  lists: AsyncIterable<readonly Item[]>,
  count: number,
): AsyncGenerator<readonly Item[]> {
  const waiting: Item[] = [];
  for await (const list of lists) {
    waiting.push(...list);
    while (waiting.length >= count) yield waiting.splice(0, count);
  }
  if (waiting.length > 0) yield waiting;
}
