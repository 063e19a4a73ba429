# The server without twins or an embedded database: give it DATABASE_URL, MOLVA_ENCRYPTION_KEYS and MOLVA_PUBLIC_URL.
# For a base that cannot change under its name, pass it with the digest that your registry shows
# (`docker buildx imagetools inspect <image>`): --build-arg NODE_IMAGE=node:22.21.1-bookworm-slim@sha256:…
ARG NODE_IMAGE=node:22.21.1-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# `npm ci` insists on optional packages of every other platform.
RUN npm install --no-save --include=dev
COPY . .
RUN node scripts/build.js && npm prune --no-save --omit=dev

FROM ${NODE_IMAGE}
ENV NODE_ENV=production MOLVA_ENV=production MOLVA_HOST=0.0.0.0 MOLVA_HOME=/var/lib/molva
WORKDIR /app
COPY --from=build /app/package.json ./package.json
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/db ./db
COPY --from=build /app/bin ./bin
COPY --from=build /app/scripts ./scripts
RUN mkdir -p /var/lib/molva && chown node:node /var/lib/molva
USER node
VOLUME /var/lib/molva
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.MOLVA_PORT || 8080) + '/healthz/readiness').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--enable-source-maps", "bin/molva.js"]
CMD ["serve"]
