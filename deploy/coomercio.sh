#!/bin/bash
# Installed as /usr/local/bin/coomercio: runs a command of the shop with its settings and as its user. As root.
# coomercio admin owner-link · coomercio backup /var/backups/coomercio/today.tar · coomercio upgrade FILE
set -euo pipefail

if [ "$(id -u)" != 0 ]; then
  echo 'This needs root: it reads /etc/coomercio/settings.' >&2
  exit 1
fi
if [ "${1:-}" = upgrade ]; then exec /opt/coomercio/deploy/upgrade.sh "${@:2}"; fi

set -a
# shellcheck source=/dev/null
. /etc/coomercio/settings
set +a
# Relative paths are those of the caller, whose folder may be closed to the shop's user.
export SHOP_CALLER_FOLDER=$PWD
export COOMERCIO_DATA=/var/lib/coomercio HOME=/var/lib/coomercio PORT=${PORT:-3001}
cd /var/lib/coomercio
package=${COOMERCIO_PACKAGE:-/opt/coomercio}
exec setpriv --reuid=coomercio --regid=coomercio --init-groups --no-new-privs \
  "$package/bin/node" "$package/bin/coomercio.js" "$@"
