#!/bin/sh
# Installs what tests drive besides Python, from the distribution's packages, unless it is there: Chromium and PgBouncer.
set -eu
PATH="$PATH:/usr/sbin"
missing=
for program in chromium pgbouncer; do
    command -v "$program" > /dev/null || missing="$missing $program"
done
[ -z "$missing" ] && exit 0
if ! command -v apt-get > /dev/null || [ "$(id -u)" -ne 0 ]; then
    echo "Some tests need$missing: install these packages (as root, with apt-get, this script does)." >&2
    exit 1
fi
apt-get update -qq
# shellcheck disable=SC2086
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing > /dev/null
