#!/bin/sh
# Renews the lock files. They carry hashes and name no package index: whoever installs chooses theirs.
set -eu
uv=${1:-uv}
lock() {
    output=$1
    shift
    "$uv" pip compile --quiet --universal --generate-hashes --python-version 3.11 \
        --no-emit-index-url --no-strip-extras --custom-compile-command "make lock" \
        "$@" --output-file "$output" pyproject.toml
}
lock requirements.lock --extra embedded --extra web --extra plots --extra metrics --extra build
lock requirements-dev.lock --extra embedded --extra web --extra plots --extra metrics --extra build --extra dev
lock requirements-server.lock --extra web --extra plots --extra metrics --extra build
