export default {
  roster: {
    input: process.env.DOCUMENT,
    output: { target: './roster.ts', client: 'fetch', mode: 'single', baseUrl: 'http://roster.example' },
  },
};
