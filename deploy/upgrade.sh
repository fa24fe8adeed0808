#!/bin/bash
# Upgrades a shop that deploy/install.sh installed: coomercio upgrade coomercio-1.1.0-linux-x64.tar.gz
# It makes a backup first, restarts one instance after the other, and goes back when one does not get ready.
set -euo pipefail

fail() {
  printf '%s\n' "$1" >&2
  exit 1
}

archive=${1:-}
[ -f "$archive" ] || fail 'Usage: coomercio upgrade FILE, the package of the new version'
name=$(basename "$archive" .tar.gz)
[[ $name =~ ^coomercio-[0-9A-Za-z.-]+$ ]] || fail "$archive is not named like a package, such as coomercio-1.1.0-linux-x64.tar.gz."
old=$(readlink -f /opt/coomercio)
new=/opt/$name
[ "$old" != "$new" ] || fail "$name runs already."
mapfile -t instances < <(systemctl list-units --plain --no-legend --state=active 'coomercio@*' | cut -d' ' -f1)
[ ${#instances[@]} -gt 0 ] || fail 'No instance of the shop runs. Start it first, so that a failure shows what the new version broke.'

# An interrupted or refused upgrade leaves no half of a package.
trap 'rm -rf "$new.new"' EXIT
rm -rf "$new.new"
mkdir "$new.new"
tar -xzf "$archive" --no-same-owner --strip-components=1 -C "$new.new" || fail "$archive is not a whole package. Nothing was changed."
"$new.new/bin/node" --version >/dev/null || fail "$name is for another kind of machine. Nothing was changed."
rm -rf "$new"
mv "$new.new" "$new"

backup=/var/backups/coomercio/before-$name-$(date +%Y%m%d%H%M%S).tar
echo "Backing up to $backup …"
# 3: the storage lacks photos that laptops show, which no upgrade loses.
coomercio backup "$backup" || [ $? = 3 ] || fail 'The backup failed, so nothing was changed.'

echo 'Migrating the database …'
COOMERCIO_PACKAGE=$new coomercio migrate || fail 'The migration failed and was rolled back. The old version goes on.'

# Pages that are open ask for scripts of the version that rendered them.
cp -an "$old/build/client/assets/." "$new/build/client/assets/"

use() {
  ln -sfn "$1" /opt/coomercio.new
  mv -T /opt/coomercio.new /opt/coomercio
  install -m 755 "$1/deploy/coomercio.sh" /usr/local/bin/coomercio
  install -m 644 "$1/deploy/coomercio@.service" /etc/systemd/system/
  systemctl daemon-reload
}

restart() {
  local instance
  for instance in "${instances[@]}"; do
    echo "Restarting $instance …"
    systemctl restart "$instance" || return 1
  done
}

use "$new"
if restart; then
  echo "$name runs. The old version is kept in $old, the backup in $backup."
  exit
fi
use "$old"
restart || fail "Neither version starts. journalctl --unit 'coomercio@*' says why, docs/upgrade.md how to restore $backup."
fail "$name did not get ready, so the old version runs again. journalctl --unit 'coomercio@*' says why. The backup is kept in $backup."
