# The production image. `docker compose up --build` runs it with a database; see docs/operating.md.
# `npm run test:deployment -- image` builds and runs it without Docker: when you change it, run that.

FROM node:24-slim AS build
WORKDIR /app
# The lock file comes first, so the packages stay cached until it changes. .npmrc turns install scripts off.
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY nest-cli.json tsconfig.json tsconfig.build.json ./
COPY src ./src
COPY docs/*.md ./docs/
RUN npm run build
# npm keeps typescript as an optional peer of @nestjs/swagger, which uses it only during the build.
RUN npm prune --omit=dev && rm -rf node_modules/typescript node_modules/.bin/tsc node_modules/.bin/tsserver

FROM node:24-slim
# glibc returns buffers of this size and more immediately; by itself it would keep those of passwords and uploads.
ENV NODE_ENV=production MALLOC_MMAP_THRESHOLD_=131072
WORKDIR /app
# The files belong to root: the service cannot change its own code.
COPY --from=build /app/package.json /app/openapi.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# The user `node` of the base image as numbers: Kubernetes cannot check that a name is not root.
USER 1000:1000
EXPOSE 3000
# Checks readiness, because Compose waits for it.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}${process.env.BASE_PATH || ''}/health/ready`).then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
# Without a shell or npm, which would not pass on the SIGTERM that starts a graceful shutdown.
# The flags save memory (docs/adr/0026).
CMD ["node", "--max-semi-space-size=32", "--max-old-space-size=1024", "--expose-gc", "dist/main.js"]
