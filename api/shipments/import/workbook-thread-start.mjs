// A thread does not inherit tsx from the main thread. Node 22.18 and later read TypeScript by themselves.
if (!process.features.typescript) {
  const { register } = await import('tsx/esm/api');
  register();
}
await import('./workbook-thread.ts');
