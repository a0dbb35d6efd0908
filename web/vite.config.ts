import { join } from 'node:path';
import { lingui } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const folder = import.meta.dirname;
const words = join(folder, 'lingui.config.ts');
// The macro's plugin looks for its settings in the current folder otherwise.
process.env['LINGUI_CONFIG'] = words;

/**
 * What every page needs is one file: small files compress badly, and each is a request of its own. The entry stays a file too,
 * since the manifest and the page name it.
 */
const FRAME = {
  name: 'frame',
  tags: ['$initial'] satisfies ['$initial'],
  test: (id: string) => !/main\.tsx$|index\.html/.test(id),
};

/** The console, as files below /desk/. What the API serves with its policy must need no inline script and no data: address. */
export default defineConfig({
  root: join(folder, 'desk'),
  base: '/desk/',
  plugins: [
    babel({ include: /\.tsx?$/, plugins: ['@lingui/babel-plugin-lingui-macro'] }),
    react(),
    lingui({ configPath: words }),
  ],
  server: { proxy: { '/desk/api': process.env['API_URL'] ?? 'http://localhost:8080' } },
  build: {
    outDir: join(folder, 'dist', 'desk'),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    target: 'es2022',
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups: [FRAME] } } },
  },
});
