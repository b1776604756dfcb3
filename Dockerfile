# Keepsake without a database: DATABASE_URL names one (compose.yaml brings one along).
FROM python:3.13-slim AS dependencies
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python -m venv /opt/dependencies
COPY requirements-server.lock ./
RUN /opt/dependencies/bin/pip install --require-hashes -r requirements-server.lock

FROM dependencies AS code
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY migrations migrations
COPY prompts prompts
COPY bot bot
RUN /opt/dependencies/bin/pip install --no-deps --no-build-isolation --no-index --target /opt/keepsake .

FROM python:3.13-slim
RUN useradd --uid 10001 --create-home --shell /usr/sbin/nologin keepsake
# The pins change seldom and the code often: whoever has the image pulls the last layer alone.
COPY --from=dependencies /opt/dependencies /opt/dependencies
COPY --from=code /opt/keepsake /opt/keepsake
ENV PATH=/opt/keepsake/bin:/opt/dependencies/bin:$PATH PYTHONPATH=/opt/keepsake PYTHONUNBUFFERED=1 MPLCONFIGDIR=/tmp/matplotlib
USER keepsake
WORKDIR /home/keepsake
# Whether loops, database, disk and answers are well; that backups are old makes no container unhealthy.
HEALTHCHECK --interval=2m --timeout=30s --start-period=2m CMD ["env", "BACKUP_ALERT_DAYS=0", "keepsake", "status"]
ENTRYPOINT ["keepsake"]
CMD ["--help"]
