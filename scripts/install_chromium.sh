#!/bin/sh
# Installs the Chromium that tests drive, from the distribution's packages, unless there is one.
set -eu
command -v chromium > /dev/null && exit 0
if ! command -v apt-get > /dev/null || [ "$(id -u)" -ne 0 ]; then
    echo "The tests of the pages need Chromium: install the package 'chromium' (as root, with apt-get, this script does)." >&2
    exit 1
fi
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium > /dev/null
