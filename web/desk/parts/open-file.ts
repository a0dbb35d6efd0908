const KEPT_MS = 60_000;

/** Shows a PDF in a tab of its own, from where it is printed. The blob's address lives for a minute. */
export function openFile(file: Blob): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.target = '_blank';
  link.rel = 'noopener';
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}
