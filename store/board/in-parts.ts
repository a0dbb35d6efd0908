/**
 * The items of several lists, so many at a time; the last part may be smaller. A list of which most
 * was left out makes no part of its own, so that fewer parts ask for the siblings of their tasks.
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
