# The server without twins or an embedded database: give it DATABASE_URL and MOLVA_ENCRYPTION_KEYS.
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# `npm ci` insists on optional packages of every other platform.
RUN npm install --no-save --include=dev
COPY . .
RUN node scripts/build.js && npm prune --no-save --omit=dev

FROM node:22-bookworm-slim
ENV NODE_ENV=production MOLVA_ENV=production MOLVA_HOST=0.0.0.0 MOLVA_HOME=/var/lib/molva
WORKDIR /app
COPY --from=build --chown=root:root /app/package.json ./package.json
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
  CMD node -e "fetch('http://127.0.0.1:' + (process.env.MOLVA_PORT || 8080) + '/healthz/readiness').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"
ENTRYPOINT ["node", "--enable-source-maps", "bin/molva.js"]
CMD ["serve"]
