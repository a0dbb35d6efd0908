import { join } from 'node:path';
import { lingui } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const folder = import.meta.dirname;
const words = join(folder, 'lingui.config.ts');
// The macro's plugin looks for its settings in the current folder otherwise.
process.env['LINGUI_CONFIG'] = words;

/** The console, as files below /desk/. What the API serves with its policy must need no inline script and no data: address. */
export default defineConfig({
  root: join(folder, 'desk'),
  base: '/desk/',
  plugins: [
    babel({ include: /\.tsx?$/, plugins: ['@lingui/babel-plugin-lingui-macro'] }),
    react(),
    lingui({ configPath: words }),
  ],
  // Of the file of modules the build leaves out what is not used; the package's main file cannot be taken apart.
  resolve: { alias: [{ find: /^leaflet$/, replacement: 'leaflet/dist/leaflet-src.esm.js' }] },
  server: { proxy: { '/desk/api': process.env['API_URL'] ?? 'http://localhost:8080' } },
  build: {
    outDir: join(folder, 'dist', 'desk'),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    target: 'es2022',
    reportCompressedSize: false,
  },
});
