# Keepsake without a database: DATABASE_URL names one (compose.yaml brings one along).
FROM python:3.13-slim AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /source
RUN python -m venv /opt/keepsake
# The pins change seldom and the code often: what is installed from them stays in its own layer.
COPY requirements-server.lock ./
RUN /opt/keepsake/bin/pip install --require-hashes -r requirements-server.lock
COPY pyproject.toml README.md LICENSE ./
COPY migrations migrations
COPY prompts prompts
COPY bot bot
RUN /opt/keepsake/bin/pip install --no-deps --no-build-isolation --no-index .

FROM python:3.13-slim
RUN useradd --system --uid 10001 --create-home --shell /usr/sbin/nologin keepsake
COPY --from=build /opt/keepsake /opt/keepsake
ENV PATH=/opt/keepsake/bin:$PATH PYTHONUNBUFFERED=1
USER keepsake
WORKDIR /home/keepsake
ENTRYPOINT ["keepsake"]
CMD ["--help"]
