# One image for the API, the worker and the commands beside them (docker/entrypoint.sh).
# Debian: Temporal's SDK has no native module for Alpine.

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build

FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --omit=dev
COPY docker/slim-packages.mjs docker/
RUN node docker/slim-packages.mjs

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json ./
COPY --chmod=0755 docker/entrypoint.sh docker/
COPY --from=build /app/dist dist
# The user `node` of the base image, by number, so that a cluster can see that it is not root.
USER 1000:1000
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["/app/docker/entrypoint.sh", "health", "api"]
ENTRYPOINT ["/app/docker/entrypoint.sh"]
CMD ["api"]
