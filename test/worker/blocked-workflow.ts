/** A workflow whose task fails on every try, as that of a history that the code does not replay. */
export function blocked(): Promise<void> {
  return Promise.reject(new TypeError('this task fails on purpose'));
}
