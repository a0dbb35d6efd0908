/** Moves an item by one place, towards the beginning (-1) or the end (1). Returns the same order where there is no such place. */
export function moved(order: readonly string[], id: string, by: -1 | 1): readonly string[] {
  const from = order.indexOf(id);
  const to = from + by;
  if (from < 0 || to < 0 || to >= order.length) return order;
  const next = order.filter((other) => other !== id);
  next.splice(to, 0, id);
  return next;
}

/** The items that there are now, in a wanted order; those that it does not name stand at the end. */
export function inOrder(ids: readonly string[], wanted: readonly string[]): readonly string[] {
  const known = new Set(ids);
  const named = wanted.filter((id) => known.has(id));
  const seen = new Set(named);
  return [...named, ...ids.filter((id) => !seen.has(id))];
}
