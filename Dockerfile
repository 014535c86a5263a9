# The image of a packed package: npm pack, then docker build --build-arg PACKAGE=card-sandbox-0.1.0.tgz .
FROM node:22-slim
ARG PACKAGE
COPY ${PACKAGE} /tmp/card-sandbox.tgz
RUN npm install --global --omit=dev --ignore-scripts --no-audit --no-fund /tmp/card-sandbox.tgz
# For --state /state/world.json with a volume.
RUN install --directory --owner=node --group=node /state
USER node
WORKDIR /home/node
EXPOSE 4242
HEALTHCHECK --interval=5s --timeout=5s --start-period=10s --retries=5 CMD ["card-sandbox", "wait", "--timeout", "3s"]
ENTRYPOINT ["card-sandbox"]
CMD ["start", "--host", "0.0.0.0"]
