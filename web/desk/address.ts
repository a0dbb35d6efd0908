import { useLocation, useSearch } from 'wouter';

/**
 * A parameter of the screen's address and what sets it: filters and drawers are in the address, so that it can be sent to a
 * colleague and Back works. Undefined removes it.
 */
export function useAddressParameter(
  name: string,
): readonly [
  string | undefined,
  (value: string | undefined, options?: { readonly replace: boolean }) => void,
] {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const value = new URLSearchParams(search).get(name) ?? undefined;
  const set = (next: string | undefined, options = { replace: false }) => {
    // The address as it is now: another parameter may have been set since this was drawn.
    const parameters = new URLSearchParams(window.location.search);
    if (next === undefined) parameters.delete(name);
    else parameters.set(name, next);
    const query = parameters.toString();
    navigate(query === '' ? path : `${path}?${query}`, options);
  };
  return [value, set];
}
