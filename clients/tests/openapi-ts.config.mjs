import { defineConfig } from '@hey-api/openapi-ts';

export default defineConfig({
  input: '../../openapi.json',
  output: { path: 'dist', importFileExtension: '.ts' },
  plugins: ['@hey-api/client-fetch', '@hey-api/sdk'],
});
