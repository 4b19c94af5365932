# The dashboard is built with its tools, which the hub does not need.
FROM node:24-bookworm-slim AS dashboard
WORKDIR /hubline
COPY package.json package-lock.json .npmrc ./
COPY server/package.json server/
COPY simulator/package.json simulator/
COPY sdk/package.json sdk/
COPY cli/package.json cli/
COPY dashboard/package.json dashboard/
COPY locales/package.json locales/
COPY bench/package.json bench/
RUN npm ci --ignore-scripts --workspace dashboard --workspace sdk
COPY sdk sdk
COPY locales locales
COPY dashboard dashboard
RUN npm run build --workspace dashboard

# The hub for production: sources run as they are, as an ordinary user, with a PostgreSQL elsewhere (DATABASE_URL).
FROM node:24-bookworm-slim
ENV NODE_ENV=production
WORKDIR /hubline
COPY package.json package-lock.json .npmrc ./
COPY server/package.json server/
COPY simulator/package.json simulator/
COPY sdk/package.json sdk/
COPY cli/package.json cli/
COPY dashboard/package.json dashboard/
COPY locales/package.json locales/
COPY bench/package.json bench/
RUN npm ci --omit=dev --workspace server --workspace simulator && npm cache clean --force
COPY server server
COPY simulator simulator
COPY locales locales
COPY openapi.json openapi-console.json ./
COPY --from=dashboard /hubline/dashboard/dist dashboard/dist
RUN mkdir data && chown node:node data
USER node
# What is compiled here need not be compiled at each start.
ENV NODE_COMPILE_CACHE=/home/node/compiled
RUN node server/src/bin/admin.ts --help >/dev/null
ENV HOST=0.0.0.0
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT ?? 8080) + '/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# node itself is process 1, so that SIGTERM reaches it and it drains. On a large machine it would keep 128 MB for young objects.
CMD ["node", "--max-semi-space-size=16", "server/src/bin/main.ts"]
