# The service for production. `docker compose up --build` runs it with a database; docs/operating.md says how.
# test/deployment.e2e-spec.ts follows these steps without an engine: change both together.

FROM node:24-slim AS build
WORKDIR /app
# The lock file first: the packages stay cached until it changes. Install scripts are off in .npmrc.
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY nest-cli.json tsconfig.json tsconfig.build.json ./
COPY src ./src
RUN npm run build
RUN npm prune --omit=dev

FROM node:24-slim
ENV NODE_ENV=production
WORKDIR /app
# Owned by root, so that the service cannot change its own code.
COPY --from=build /app/package.json /app/openapi.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
USER node
EXPOSE 3000
# Ready, not only alive: Compose waits for it. The port is that of PORT, as for the service.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}${process.env.BASE_PATH || ''}/health/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
# Node itself and no shell or npm before it: they would not pass SIGTERM on, and the service would not drain.
CMD ["node", "dist/main.js"]
